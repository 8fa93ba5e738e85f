// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selects implementations by name.

use finalist::{Algorithm, EnvironmentError, Error, Implementation, implementations};

use crate::failure::{Failure, names_in_lines};
use crate::value::nearest;

/// Returns the supported implementations of some modes; with names (`ttable64`,
/// `blake256=portable`) only the named ones. Without names, returns those that `FINALIST_IMPL`
/// permits: if it forces an implementation on a compression function, only that one.
///
/// # Errors
/// A name of no implementation, or of one that this CPU does not support.
pub fn chosen(names: &[String], modes: &[&str]) -> Result<Vec<Implementation>, Failure> {
    let all: Vec<_> = implementations()
        .into_iter()
        .filter(|row| modes.contains(&row.mode))
        .collect();
    if names.is_empty() {
        let forced = forced_by_environment(&all);
        let stays = |row: &Implementation| row.selected || !forced.contains(&row.algorithm);
        return Ok(all
            .into_iter()
            .filter(|row| row.supported && stays(row))
            .collect());
    }
    let mut named = vec![false; all.len()];
    for name in names {
        let matches = matching(name, &all)?;
        if matches.is_empty() {
            return Err(unknown(name, &all));
        }
        if !matches.iter().any(|&index| all[index].supported) {
            let needed = all[matches[0]].features.join(", ");
            let error = Error::ImplementationUnsupported;
            return Err(Failure::message(format!(
                "--impl: '{name}': {error} ({needed})"
            )));
        }
        for index in matches {
            named[index] = true;
        }
    }
    let rows = all.into_iter().zip(named);
    Ok(rows
        .filter(|(row, named)| *named && row.supported)
        .map(|(row, _)| row)
        .collect())
}

/// Returns the compression functions that `FINALIST_IMPL` names. Its items were checked at the
/// start.
fn forced_by_environment(all: &[Implementation]) -> Vec<&'static str> {
    let items = std::env::var("FINALIST_IMPL").unwrap_or_default();
    items
        .split(',')
        .filter_map(|item| item.split_once('='))
        .filter_map(|(algorithm, _)| compression_of(algorithm, all).ok())
        .collect()
}

/// Returns the indexes of the implementations that a name selects.
fn matching(name: &str, all: &[Implementation]) -> Result<Vec<usize>, Failure> {
    let (compression, wanted) = match name.split_once('=') {
        Some((algorithm, wanted)) => {
            let compression = compression_of(algorithm, all);
            let compression = compression
                .map_err(|error| Failure::message(format!("--impl: '{name}': {error}")))?;
            (Some(compression), wanted)
        }
        None => (None, name),
    };
    let matches = |row: &Implementation| {
        row.name == wanted && compression.is_none_or(|compression| compression == row.algorithm)
    };
    Ok((0..all.len())
        .filter(|&index| matches(&all[index]))
        .collect())
}

/// Returns the compression function of this name or of this algorithm.
fn compression_of(name: &str, all: &[Implementation]) -> Result<&'static str, Error> {
    match all.iter().find(|row| row.algorithm == name) {
        Some(row) => Ok(row.algorithm),
        None => Ok(Algorithm::from_name(name)?.info().compression),
    }
}

fn unknown(name: &str, all: &[Implementation]) -> Failure {
    let error = Error::ImplementationUnknown;
    let line = format!("--impl: '{name}': {error}");
    if let Some(near) = nearest_choice(name, all) {
        return Failure::message(format!("{line}\nDid you mean '{near}'?"));
    }
    let Some((algorithm, _)) = name.split_once('=') else {
        let hint = "'finalist list --wide' shows all names";
        return Failure::message(format!("{line}\n{hint}"));
    };
    let compression = compression_of(algorithm, all).ok();
    let its = all.iter().filter(|row| Some(row.algorithm) == compression);
    let names = names_in_lines(its.map(|row| row.name));
    Failure::message(format!("{line}; there is:\n{names}"))
}

/// Returns the valid choice that is most similar to an invalid one.
fn nearest_choice(item: &str, all: &[Implementation]) -> Option<String> {
    let best = |name: &str, names: Vec<&'static str>| nearest(name, names).first().copied();
    let Some((algorithm, name)) = item.split_once('=') else {
        let name = best(item, all.iter().map(|row| row.name).collect())?;
        return Some(name.to_owned());
    };
    let known = Algorithm::all().iter().map(|each| each.name());
    let known = known.chain(all.iter().map(|row| row.algorithm));
    let algorithm = best(algorithm, known.collect())?;
    let compression = compression_of(algorithm, all).ok()?;
    let its = all.iter().filter(|row| row.algorithm == compression);
    let name = best(name, its.map(|row| row.name).collect())?;
    Some(format!("{algorithm}={name}"))
}

/// Returns the failure for a wrong item of `FINALIST_IMPL` or `FINALIST_CPU`, with the nearest
/// valid one.
pub fn unknown_item(wrong: &EnvironmentError) -> Failure {
    let (variable, item) = (wrong.variable, &wrong.item);
    if wrong.error == Error::ImplementationUnsupported {
        return Failure::message(wrong.to_string());
    }
    let all = implementations();
    let near = if variable == "FINALIST_CPU" {
        let features = all.iter().flat_map(|row| row.features.iter().copied());
        let near = nearest(item.trim_start_matches('-'), features);
        near.first().map(|feature| format!("-{feature}"))
    } else {
        nearest_choice(item, &all).filter(|near| near.contains('='))
    };
    let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
    Failure::message(format!("{variable}: '{item}': unknown{near}"))
}
