// SPDX-License-Identifier: MIT OR Apache-2.0
//! Converts values of rows from their encoding (docs/format/rows.md) to JSON.

use serde_json::{Map, Value, json};

const NANOSECONDS: i128 = 1_000_000_000;
const DAY_SECONDS: i128 = 86_400;

/// Reads values from an encoding one by one.
pub struct Values<'a>(pub &'a [u8]);

impl<'a> Values<'a> {
    fn take<const BYTES: usize>(&mut self) -> Option<[u8; BYTES]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn length(&mut self) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(self.take()?)).ok()
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.length()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn text(&mut self) -> Option<String> {
        Some(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    fn wide(&mut self) -> Option<i128> {
        Some(i128::from_le_bytes(self.take()?))
    }

    /// Returns the next value; `None` if none is complete.
    pub fn next(&mut self) -> Option<Value> {
        let [tag] = self.take()?;
        Some(match tag {
            0 => Value::Null,
            1 => Value::Bool(self.take()? == [1]),
            2 => json!(u64::from_le_bytes(self.take()?)),
            3 => json!(i64::from_le_bytes(self.take()?)),
            4 => float(f64::from_le_bytes(self.take()?)),
            5 => Value::String(hex::encode(self.bytes()?)),
            6 => Value::String(self.text()?),
            7 => Value::String(date(i64::from_le_bytes(self.take()?).into())),
            8 => Value::String(time_of_day(self.wide()?)),
            9 => Value::String(instant(self.wide()?)),
            10 => Value::String(instant(self.wide()?) + "Z"),
            11 => Value::String(duration(self.wide()?)),
            12 => {
                let scale = i32::from_le_bytes(self.take()?);
                let unscaled = self.wide()?.to_string();
                Value::String(decimal(&unscaled, scale))
            }
            13 => Value::String(digits(self.take()?)),
            14 => {
                let scale = i32::from_le_bytes(self.take()?);
                Value::String(decimal(&digits(self.take()?), scale))
            }
            15 => {
                let count = self.length()?;
                let elements: Option<Vec<Value>> = (0..count).map(|_| self.next()).collect();
                Value::Array(elements?)
            }
            16 => {
                let mut fields = Map::new();
                for _ in 0..self.length()? {
                    let name = self.text()?;
                    fields.insert(name, self.next()?);
                }
                Value::Object(fields)
            }
            17 => {
                let mut entries = Vec::new();
                for _ in 0..self.length()? {
                    entries.push(json!([self.next()?, self.next()?]));
                }
                Value::Array(entries)
            }
            _ => return None,
        })
    }

    /// Returns the next value and its encoding.
    pub fn next_with_bytes(&mut self) -> (&'a [u8], Value) {
        let before = self.0;
        let value = self.next().unwrap_or_default();
        (&before[..before.len() - self.0.len()], value)
    }
}

/// Converts a float; a string if it is not finite, since JSON has no such numbers.
fn float(value: f64) -> Value {
    match serde_json::Number::from_f64(value) {
        Some(number) => Value::Number(number),
        None if value.is_nan() => json!("NaN"),
        None if value > 0.0 => json!("Infinity"),
        None => json!("-Infinity"),
    }
}

/// Returns ISO 8601 for days since 1970: Howard Hinnant's civil_from_days.
fn date(days: i128) -> String {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

fn time_of_day(nanoseconds: i128) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let whole = nanoseconds.abs();
    let (seconds, rest) = (whole / NANOSECONDS, whole % NANOSECONDS);
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!(
        "{sign}{hours:02}:{minutes:02}:{:02}{}",
        seconds % 60,
        fraction(rest)
    )
}

/// Returns the fraction of a second: a point and three, six or nine digits, or nothing.
fn fraction(nanoseconds: i128) -> String {
    let text = format!(".{nanoseconds:09}");
    let mut text = &text[..];
    while let Some(shorter) = text.strip_suffix("000") {
        text = shorter;
    }
    text.trim_end_matches('.').to_owned()
}

fn instant(nanoseconds: i128) -> String {
    let seconds = nanoseconds.div_euclid(NANOSECONDS);
    let days = seconds.div_euclid(DAY_SECONDS);
    let within = nanoseconds - days * DAY_SECONDS * NANOSECONDS;
    format!("{}T{}", date(days), time_of_day(within))
}

fn duration(nanoseconds: i128) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let whole = nanoseconds.abs();
    format!(
        "{sign}PT{}{}S",
        whole / NANOSECONDS,
        fraction(whole % NANOSECONDS)
    )
}

/// Returns the digits of a decimal with its point.
fn decimal(unscaled: &str, scale: i32) -> String {
    let (sign, digits) = match unscaled.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", unscaled),
    };
    // Arrow's decimals have no more places; a file may claim any number of them.
    const PLACES_MAX: usize = 76;
    let places = usize::try_from(scale).ok();
    let Some(places) = places.filter(|&places| places <= PLACES_MAX) else {
        return format!("{unscaled}E{}", -i64::from(scale));
    };
    if places == 0 {
        return unscaled.to_owned();
    }
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, part) = digits.split_at(digits.len() - places);
    format!("{sign}{whole}.{part}")
}

/// Returns the digits of a number of 256 bits: little-endian, two's complement.
fn digits(mut bytes: [u8; 32]) -> String {
    let is_negative = bytes[31] >> 7 == 1;
    if is_negative {
        let mut carry = true;
        for byte in &mut bytes {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let mut text = Vec::new();
    while bytes != [0; 32] {
        let mut rest = 0u32;
        for byte in bytes.iter_mut().rev() {
            let value = rest << 8 | u32::from(*byte);
            *byte = (value / 10) as u8;
            rest = value % 10;
        }
        text.push(b'0' + rest as u8);
    }
    if text.is_empty() {
        text.push(b'0');
    }
    if is_negative {
        text.push(b'-');
    }
    text.reverse();
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Values, date, decimal, digits, duration, float, instant, time_of_day};

    #[test]
    fn booleans_and_nested_values_are_decoded() {
        const ONE: [u8; 8] = [1, 0, 0, 0, 0, 0, 0, 0];
        const TWO: [u8; 8] = [2, 0, 0, 0, 0, 0, 0, 0];
        let list = [&[15][..], &TWO, &[1, 0, 1, 1]].concat();
        let fields = [&[16][..], &ONE, &ONE, b"a", &[1, 1]].concat();
        let map = [&[17][..], &ONE, &[1, 0, 0]].concat();
        for (bytes, value) in [
            (list, json!([false, true])),
            (fields, json!({"a": true})),
            (map, json!([[false, null]])),
        ] {
            assert_eq!(Values(&bytes).next(), Some(value));
            assert_eq!(Values(&bytes[..bytes.len() - 1]).next(), None);
        }
    }

    #[test]
    fn times_are_those_of_iso_8601() {
        const SECOND: i128 = 1_000_000_000;
        assert_eq!(time_of_day(3600 * SECOND), "01:00:00");
        // No time of day, but a file may have it.
        assert_eq!(time_of_day(-61 * SECOND - 1000), "-00:01:01.000001");
        assert_eq!(time_of_day(86_400 * SECOND - 1), "23:59:59.999999999");
        assert_eq!(instant(-1), "1969-12-31T23:59:59.999999999");
        assert_eq!(instant(86_401 * SECOND), "1970-01-02T00:00:01");
        assert_eq!(duration(0), "PT0S");
        assert_eq!(duration(-1_500_000_000), "-PT1.500S");
    }

    #[test]
    fn numbers_have_all_their_digits() {
        for (unscaled, scale, expected) in [
            ("-150", 2, "-1.50"),
            ("5", 3, "0.005"),
            ("12", 1, "1.2"),
            ("12", 0, "12"),
            ("12", -2, "12E2"),
        ] {
            assert_eq!(decimal(unscaled, scale), expected);
        }
        let mut bytes = [0; 32];
        assert_eq!(digits(bytes), "0");
        bytes[25] = 1;
        let power = "1606938044258990275541962092341162602522202993782792835301376";
        assert_eq!(digits(bytes), power);
        assert_eq!(digits([255; 32]), "-1");
        assert_eq!(float(f64::NEG_INFINITY), "-Infinity");
    }

    #[test]
    fn dates_count_the_days_of_every_month() {
        let mut days = 0;
        for year in 1970..2370 {
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let february = if is_leap { 29 } else { 28 };
            let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            for (month, length) in (1..).zip(lengths) {
                for day in 1..=length {
                    assert_eq!(date(days), format!("{year:04}-{month:02}-{day:02}"));
                    days += 1;
                }
            }
        }
        assert_eq!(date(-1), "1969-12-31");
    }
}
