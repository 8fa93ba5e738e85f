// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests `finalist merkle`: the numbers of leaves, which a proof cannot prove.

mod common;

use common::merkle::{LEAVES, OLD_ROOT, OPTIONS, ROOT, directory, done, succeeds, tree};
use common::{Text, finalist, write};

/// Returns the proof of inclusion of a leaf, as `prove` prints it.
fn proof_of(index: usize, hashes: &[&str]) -> String {
    let hashes: Vec<_> = hashes
        .iter()
        .map(|hash| format!("    \"{hash}\""))
        .collect();
    format!(
        "{{\n  \"format\": \"finalist-merkle-inclusion-1\",\n  \"algorithm\": \"blake2b\",\n  \
         \"digest_bits\": 64,\n  \"chunk_bytes\": 2,\n  \"leaf_count\": 3,\n  \"index\": {index},\n  \
         \"hashes\": [\n{}\n  ]\n}}\n",
        hashes.join(",\n")
    )
}

/// A root fits trees of any size: with only the proof's own numbers, an inner node passes for a
/// leaf.
#[test]
fn numbers_of_a_proof_are_not_believed() {
    let dir = directory();
    write(
        &dir,
        "proof",
        proof_of(0, &[LEAVES[2]]).replace("\"leaf_count\": 3", "\"leaf_count\": 2"),
    );
    let inner = format!("verify --root {ROOT} --leaf-hash {OLD_ROOT} proof");
    let refused = |text: &str| done(1, "", &format!("finalist: {text}\n"));
    let got = tree(&dir, &inner);
    let why =
        "finalist: --leaves is missing: a root alone does not tell how many leaves its tree has";
    assert!(got.stderr.0.starts_with(why.as_bytes()), "{got:?}");
    assert_eq!((got.code, got.stdout), (Some(1), Text(vec![])));
    let got = tree(&dir, &format!("{inner} --leaves 3 --index 0"));
    assert_eq!(got, refused("--leaves: the proof says 2, not 3"));
    let got = tree(&dir, &format!("{inner} --leaves 2 --index 1"));
    assert_eq!(got, refused("--index: the proof says 0, not 1"));

    let proof = tree(
        &dir,
        &format!("consistency {OPTIONS} --old-leaves 2 letters"),
    );
    write(&dir, "proof", succeeds(proof));
    let roots = format!("consistency --verify proof --old-root {OLD_ROOT} --root {ROOT}");
    for (counts, text) in [
        (
            "--leaves 3",
            "--old-leaves is missing: a root alone does not",
        ),
        (
            "--old-leaves 2",
            "--leaves is missing: a root alone does not",
        ),
        (
            "--leaves 4 --old-leaves 2",
            "--leaves: the proof says 3, not 4",
        ),
        (
            "--leaves 3 --old-leaves 1",
            "--old-leaves: the proof says 2, not 1",
        ),
    ] {
        let got = tree(&dir, &format!("{roots} {counts}"));
        assert_eq!((got.code, &got.stdout), (Some(1), &Text(vec![])));
        let text = format!("finalist: {text}");
        assert!(got.stderr.0.starts_with(text.as_bytes()), "{got:?}");
    }
}

/// No member of a proof has a default.
#[test]
fn a_proof_without_a_member_is_refused() {
    let dir = directory();
    let whole = proof_of(0, &[LEAVES[1], LEAVES[2]]);
    let verify = format!(
        "verify --root {ROOT} --leaves 3 --index 0 --leaf-hash {} proof",
        LEAVES[0]
    );
    write(&dir, "proof", &whole);
    succeeds(tree(&dir, &verify));
    for line in whole
        .lines()
        .filter(|line| line.ends_with(',') && line.contains(':'))
    {
        write(&dir, "proof", whole.replace(&format!("{line}\n"), ""));
        let got = tree(&dir, &verify);
        assert_eq!((got.code, &got.stdout), (Some(1), &Text(vec![])), "{line}");
        assert!(
            got.stderr.0.starts_with(b"finalist: proof: not a proof"),
            "{got:?}"
        );
    }
    // Nor has it one of the other kind.
    let both = whole.replace("\"index\"", "\"old_leaf_count\": 1, \"index\"");
    write(&dir, "proof", both);
    let text = "finalist: proof: not a proof: 'index' belongs to inclusion, 'old_leaf_count' to \
                consistency\n";
    assert_eq!(tree(&dir, &verify), done(1, "", text));
}

#[test]
fn roots_come_with_the_number_of_leaves() {
    let dir = directory();
    let line = |name: &str| format!("RFC9162-BLAKE2b-64-2 ({name}) = ");
    let got = tree(&dir, &format!("root {OPTIONS} --count letters pair"));
    let pair = LEAVES[0];
    let (letters, second) = (line("letters"), line("pair"));
    let text = format!("# leaves: 3\n{letters}{ROOT}\n# leaves: 1\n{second}{pair}\n");
    assert_eq!(got, done(0, &text, ""));
    // The text is a list for check and a root for verify.
    write(&dir, "list", &text);
    assert_eq!(
        finalist(dir.path(), &["check", "--strict", "--quiet", "list"]).code,
        Some(0)
    );
    let got = tree(&dir, "root -l 64 --leaf-files --count pair empty");
    assert_eq!(got, done(0, "# leaves: 2\nbd19afa68905ec4a\n", ""));
    let got = tree(&dir, &format!("root {OPTIONS} --json letters"));
    let json = format!(
        "{{\"file\":\"letters\",\"algorithm\":\"blake2b\",\"digest_bits\":64,\"chunk_bytes\":2,\
         \"leaf_count\":3,\"root\":\"{ROOT}\"}}\n"
    );
    assert_eq!(got, done(0, &json, ""));
}
