// SPDX-License-Identifier: MIT OR Apache-2.0
//! Makes a small tree and runs `finalist merkle`, for the tests of that command.

use tempfile::TempDir;

use super::{Done, Text, words, write};

/// BLAKE2b with 64 bits over the chunks "ab", "cd", "e": computed with Python's hashlib.
pub const ROOT: &str = "47e9e7568cb28502";
pub const OLD_ROOT: &str = "86e9337715b0652a";
pub const LEAVES: [&str; 3] = ["f851864e2521bfa0", "90559a8bb4514e83", "b1dad4f2254dfd3e"];
pub const OPTIONS: &str = "-l 64 --chunk 2";

/// Returns the result of a run with this exit code and these outputs.
pub fn done(code: i32, stdout: impl AsRef<[u8]>, stderr: &str) -> Done {
    Done {
        code: Some(code),
        stdout: Text(stdout.as_ref().to_vec()),
        stderr: Text(stderr.into()),
    }
}

/// Returns a directory with files of five bytes, of two, and of none.
pub fn directory() -> TempDir {
    let dir = TempDir::new().expect("a temporary directory can be made");
    write(&dir, "letters", "abcde");
    write(&dir, "pair", "ab");
    write(&dir, "chunk", "cd");
    write(&dir, "empty", "");
    dir
}

/// Runs `finalist merkle` with the words of a line.
pub fn tree(dir: &TempDir, line: &str) -> Done {
    words(dir, &format!("merkle {line}"))
}

/// Requires success without a message and returns the output.
pub fn succeeds(done: Done) -> Vec<u8> {
    assert_eq!((done.code, &done.stderr), (Some(0), &Text(vec![])));
    done.stdout.0
}
