// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of the parser of vectors.

use super::{BATCH_RULE, Vector};

fn fault(line: &str) -> String {
    Vector::parse(line.as_bytes()).err().unwrap_or_default()
}

const MD: &str = "000000000000000000000000000000000000000000000000000000000000000a";

#[test]
fn a_plain_vector_is_read() {
    let line = format!(r#"{{"alg":"blake256","len_bits":8,"msg":"61","md":"{MD}"}}"#);
    assert_eq!(fault(&line), "");
}

#[test]
fn malformed_lines_say_what_is_wrong() {
    for (line, expected) in [
        ("", "not a JSON object"),
        ("{", "EOF while parsing an object"),
        ("[1]", "not a JSON object"),
        (r#"{"alg":"blake256","colour":1}"#, "unknown field `colour`"),
        (r#"{"alg":"md5","len_bits":0,"md":""}"#, "alg 'md5'"),
        (r#"{"len_bits":0,"md":""}"#, "alg is missing"),
        (r#"{"alg":"blake256","md":"MD"}"#, "len_bits is missing"),
        (r#"{"alg":"blake256","len_bits":0}"#, "md is missing"),
        (
            r#"{"alg":"blake256","len_bits":0,"md":"00"}"#,
            "md has 1 byte where",
        ),
        (
            r#"{"alg":"blake256","len_bits":0,"md":"0"}"#,
            "Odd number of digits",
        ),
        (
            r#"{"alg":"blake256","len_bits":0,"md":"zz"}"#,
            "Invalid character",
        ),
        (
            r#"{"alg":"blake256","len_bits":9,"msg":"61","md":"MD"}"#,
            "len_bits is 9",
        ),
        (
            r#"{"alg":"blake256","len_bits":-1,"msg":"61","md":"MD"}"#,
            "invalid value",
        ),
        (
            r#"{"alg":"blake256","len_bits":8,"msg":"61","chunks":[2],"md":"MD"}"#,
            "chunks do not add up",
        ),
        (
            r#"{"alg":"blake256","len_bits":8,"msg":"61","md":"MD","md_first":"00"}"#,
            "do not go with the others: md_first",
        ),
        (
            r#"{"alg":"blake256","len_bits":8,"msg":"61","md":"MD",
                "gen":{"text":"61","count":1}}"#,
            "do not go with the others: msg",
        ),
        (
            r#"{"alg":"blake256","mct_seed":"00","mct_md":["MD"]}"#,
            "shorter than a digest",
        ),
        (
            r#"{"alg":"blake256","mct_seed":"00","mct_md":[]}"#,
            "mct_md is empty",
        ),
        (
            r#"{"alg":"blake256","size":"huge","checksum":"MD"}"#,
            "unknown variant `huge`",
        ),
        (
            r#"{"alg":"blake256","batch":{"msg_bytes":1,"count":1,"rule":"x"}}"#,
            "unknown rule",
        ),
    ] {
        let line = line.replace("MD", MD);
        assert!(fault(&line).contains(expected), "{line}: {}", fault(&line));
    }
}

#[test]
fn each_digest_of_a_batch_has_its_length() {
    for (name, other) in [
        ("md_of_mds", "md_first"),
        ("md_first", "md_last"),
        ("md_last", "md_of_mds"),
    ] {
        let line = serde_json::json!({
            "alg": "blake256",
            "batch": {"msg_bytes": 1, "count": 1, "rule": BATCH_RULE},
            "md_of_mds": MD,
            "md_first": MD,
            "md_last": MD,
        });
        let (line, short) = (line.to_string(), format!("\"{name}\":\"00\""));
        assert_eq!(fault(&line), "");
        let line = line.replace(&format!("\"{name}\":\"{MD}\""), &short);
        let found = fault(&line);
        let is_named = found.contains(&format!("{name} has 1 byte where"));
        assert!(is_named && !found.contains(other), "{found}");
    }
}

#[test]
fn groestl_with_a_short_digest_is_computed_by_the_short_permutations() {
    for (algorithm, bytes, compression) in [
        ("groestl512", 1, "groestl256"),
        ("groestl384", 32, "groestl256"),
        ("groestl0-512", 32, "groestl0-256"),
        ("groestl512", 33, "groestl512"),
        ("groestl384", 48, "groestl512"),
        ("blake2b", 32, "blake2b"),
    ] {
        let md = "00".repeat(bytes);
        let line =
            format!(r#"{{"alg":"{algorithm}","len_bits":0,"out_bytes":{bytes},"md":"{md}"}}"#);
        let vector = Vector::parse(line.as_bytes()).expect("well formed");
        assert_eq!(
            vector.compression(),
            compression,
            "{algorithm}, {bytes} bytes"
        );
    }
}
