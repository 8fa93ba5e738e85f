// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parsers for values of options. Their errors describe valid values.

use std::fmt;
use std::ops::RangeInclusive;

use parse_size::Config;

/// A parser of a value's text.
pub trait Parse<T>: Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {}
impl<T, F: Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static> Parse<T> for F {}

/// Returns a parser for a whole number.
pub fn number(range: RangeInclusive<u64>) -> impl Parse<u64> {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| number_from(range.clone()))
    }
}

/// Describes the numbers of a range.
pub fn number_from(range: RangeInclusive<u64>) -> String {
    let (first, last) = (range.start(), range.end());
    format!("a number from {first} to {last}")
}

/// Returns a parser for the number of threads of `-j`.
pub fn jobs() -> impl Parse<u16> {
    let number = number(1..=1024);
    move |text| Ok(number(text)? as u16)
}

/// Returns a parser for a number of bytes, such as 65536, 64k or 1M.
pub fn size(range: RangeInclusive<u64>) -> impl Parse<u64> {
    move |text| {
        let bytes = Config::new().with_binary().parse_size(text).ok();
        bytes.filter(|bytes| range.contains(bytes)).ok_or_else(|| {
            let (first, last) = (range.start(), range.end());
            format!("bytes from {first} to {last}, also with a suffix: k, M or G, as in 64k")
        })
    }
}

/// Returns a name in lower case, without its separators.
pub fn plain(name: &str) -> String {
    name.to_lowercase().replace(['-', '_'], "")
}

/// Returns up to three of the names, those most similar to an unknown one.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    /// Below this similarity, names are considered different words.
    const LIKENESS_MIN: f64 = 0.8;
    let wanted = plain(name);
    let likeness = |name: &str| {
        // One letter more, less, wrong, or two swapped: this lowers a short name's similarity too
        // far.
        let is_slip = strsim::damerau_levenshtein(&wanted, name) == 1;
        let least = if is_slip { LIKENESS_MIN } else { 0.0 };
        // One more digit is another number.
        let is_other = |rest: &str| {
            wanted.ends_with(|last: char| last.is_ascii_digit())
                && rest.starts_with(|next: char| next.is_ascii_digit())
        };
        let rest = name.strip_prefix(&wanted);
        let begins_so = match rest.is_some_and(|rest| !is_other(rest)) {
            true => 0.1,
            false => 0.0,
        };
        strsim::jaro_winkler(&wanted, name).max(least) + begins_so
    };
    let rated = names.into_iter().map(|name| (likeness(&plain(name)), name));
    let mut rated: Vec<_> = rated
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN)
        .collect();
    rated.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    rated.dedup_by_key(|(_, name)| *name);
    let best = rated.first().map_or(0.0, |(likeness, _)| *likeness);
    let as_good = rated
        .into_iter()
        .filter(|(likeness, _)| best - likeness < 1e-6);
    as_good.map(|(_, name)| name).take(3).collect()
}

/// Returns "Did you mean 'a' or 'b'?" with the names most similar to an unknown one.
pub fn did_you_mean(name: &str, names: &[&str]) -> Option<String> {
    did_you_mean_one(&nearest(name, names.iter().copied()))
}

/// Returns "Did you mean 'a' or 'b'?", or `None` without a name.
pub fn did_you_mean_one(names: &[impl fmt::Display]) -> Option<String> {
    let quoted: Vec<_> = names.iter().map(|name| format!("'{name}'")).collect();
    let (last, others) = quoted.split_last()?;
    Some(match others {
        [] => format!("Did you mean {last}?"),
        _ => format!("Did you mean {} or {last}?", others.join(", ")),
    })
}

/// Returns the valid values that resemble this one, or all if none does.
pub fn alternatives<T: AsRef<str>>(value: &str, valid: &[T]) -> Vec<String> {
    let valid: Vec<&str> = valid.iter().map(AsRef::as_ref).collect();
    if let Some(near) = did_you_mean(value, &valid) {
        return vec![near];
    }
    let listed = valid.iter().map(|each| format!("  - '{each}'"));
    std::iter::once("Valid arguments are:".to_owned())
        .chain(listed)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_suffixes() {
        let size = size(1..=1 << 30);
        for (text, bytes) in [
            ("1", 1),
            ("4k", 4096),
            ("64K", 65536),
            ("1M", 1 << 20),
            ("1GiB", 1 << 30),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "0", "-1", "2G", "1x", "k"] {
            assert!(size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_nearest_names_are_found() {
        let names = [
            "blake28",
            "blake32",
            "blake256",
            "blake2b",
            "blake2s",
            "groestl256",
            "groestl0-256",
        ];
        for (name, expected) in [
            ("BLAKE2B", &["blake2b"][..]),
            ("groestl-256", &["groestl256"]),
            ("blake2", &["blake2b", "blake2s"]),
            ("md5", &[]),
        ] {
            assert_eq!(nearest(name, names), expected, "{name}");
        }
        // A digit after a letter is no other number.
        assert_eq!(nearest("avx", ["avx2", "avxb"]), ["avx2", "avxb"]);
    }
}
