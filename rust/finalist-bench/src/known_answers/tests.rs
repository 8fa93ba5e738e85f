// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of the comparison of answers.

use finalist::implementations;
use indicatif::ProgressBar;

use super::{ask, compare, count, parse};

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

/// The answers of these vectors are wrong, so that each failure tells what was checked.
#[test]
fn an_implementation_answers_every_vector_that_it_takes_part_in() {
    let lines = [
        r#"{"alg":"blake256","len_bits":8,"msg":"61","md":"MD"}"#,
        r#"{"alg":"blake256","len_bits":1,"msg":"80","md":"MD"}"#,
        r#"{"alg":"blake256","len_bits":8,"msg":"61","chunks":[1],"md":"MD"}"#,
        r#"{"alg":"blake256","batch":{"msg_bytes":1,"count":9,"rule":"RULE"},"md_of_mds":"MD"}"#,
        r#"{"alg":"blake2xb","len_bits":8,"msg":"61","out_bytes":32,"md":"MD"}"#,
    ];
    let rule = r#"msg_i = SHAKE256(\"batch\" || i as 4 bytes big-endian)[:msg_bytes]"#;
    let lines = lines.join("\n").replace("RULE", rule);
    let lines = lines.replace("MD", &"00".repeat(32));
    let (cases, malformed) = parse("name", lines.as_bytes());
    assert!(malformed.is_empty(), "{malformed:?}");
    let mut all = implementations();
    all.retain(|each| each.supported);
    let answers = ask(&cases, &all, &ProgressBar::hidden());
    assert_eq!(answers.len(), count(&cases, &all));
    for each in all {
        let own = answers.iter().filter(|answer| {
            (answer.compression, answer.implementation) == (each.algorithm, each.name)
        });
        let failed: Vec<_> = own.filter_map(|answer| answer.failed.as_ref()).collect();
        let lines: Vec<_> = failed.iter().map(|failed| failed.line).collect();
        let (expected, what): (&[usize], _) = match (each.algorithm, each.lanes) {
            ("blake256", 1) => (&[1, 2, 3, 4], "md from byte 0"),
            ("blake256", _) => (&[1, 4], "md in place 0 from byte 0"),
            ("blake2b", 1) => (&[5], "md from byte 0"),
            _ => (&[], ""),
        };
        assert_eq!(lines, expected, "{} {}", each.algorithm, each.name);
        assert!(
            failed
                .first()
                .is_none_or(|failed| failed.what.starts_with(what))
        );
    }
}
