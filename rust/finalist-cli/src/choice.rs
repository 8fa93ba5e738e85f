// SPDX-License-Identifier: MIT OR Apache-2.0
//! Implementations asked for by name.

use finalist::{Algorithm, Error, Implementation, implementations};

use crate::failure::{Failure, names_in_lines};

/// The supported implementations of some modes; with names (`ttable64`, `blake256=portable`) only those
/// that are named. Without names, those that `FINALIST_IMPL` leaves: where it forces an
/// implementation on a compression function, only that one.
///
/// # Errors
/// A name that no implementation has, or one that this CPU does not support.
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

/// The compression functions that `FINALIST_IMPL` speaks of. Its items were checked at the start.
fn forced_by_environment(all: &[Implementation]) -> Vec<&'static str> {
    let items = std::env::var("FINALIST_IMPL").unwrap_or_default();
    items
        .split(',')
        .filter_map(|item| item.split_once('='))
        .filter_map(|(algorithm, _)| compression_of(algorithm, all).ok())
        .collect()
}

/// The places of the implementations that a name means.
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

/// The compression function of that name or of that algorithm.
fn compression_of(name: &str, all: &[Implementation]) -> Result<&'static str, Error> {
    match all.iter().find(|row| row.algorithm == name) {
        Some(row) => Ok(row.algorithm),
        None => Ok(Algorithm::from_name(name)?.info().compression),
    }
}

fn unknown(name: &str, all: &[Implementation]) -> Failure {
    let names = all
        .iter()
        .map(|row| format!("{}={}", row.algorithm, row.name));
    let error = Error::ImplementationUnknown;
    Failure::message(format!(
        "--impl: '{name}': {error}; there is:\n{}",
        names_in_lines(names)
    ))
}
