// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of the comparison of answers.

use super::{compare, parse};

#[test]
fn a_difference_is_shown_where_it_is() {
    assert_eq!(compare("md", &[1, 2, 3], &[1, 2, 3]), Ok(()));
    assert_eq!(
        compare("md", &[1, 2, 3], &[1, 9, 3]),
        Err("md from byte 1 on: 0203, expected 0903".into())
    );
}

#[test]
fn lines_are_counted_from_one_and_blank_ones_skipped() {
    let (cases, malformed) = parse("name", b"\n{}\n  \r\n{}\n");
    assert!(cases.is_empty());
    assert_eq!(
        malformed
            .iter()
            .map(|failed| failed.line)
            .collect::<Vec<_>>(),
        [2, 4]
    );
}
