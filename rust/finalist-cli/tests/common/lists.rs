// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checksum lists, well-formed and not.

/// Lists by name. `@` is the digest of the file a, `!` a wrong digest, `^` the digest in upper
/// case, `%` the digest without two digits.
pub const UNTAGGED: &[(&str, &str)] = &[
    ("crlf", "@  a\r\n\r\n# x\r\n@  a\r\n"),
    ("comments", "#x\n\n#@  a\n@  a\n"),
    ("blank-line", "  \n@  a\n"),
    ("no-newline", "@  a"),
    ("upper", "^  a\n"),
    ("leading-blanks", " \t @  a\n"),
    ("tab", "@\t a\n@\ta\n"),
    ("reversed", "@ a\n@ empty\n"),
    ("reversed-then-plain", "@ a\n@  a\n"),
    ("plain-then-reversed", "@  a\n@ a\n"),
    ("short-name", "@ a\n@  b\n@  \n@ \n@\n"),
    ("odd", "%0  a\n@  a\n"),
    ("one-digit", "a  a\nab  a\n"),
    ("too-long", "@00  a\n"),
    ("not-hex", "%g0  a\n"),
    ("two-improper", "x\ny\n@  a\n"),
    ("wrong", "!  a\n"),
    ("two-wrong", "!  a\n!  empty\n@  a\n"),
    ("missing", "@  gone\n@  a\n"),
    ("only-missing", "@  gone\n@  go ne\n"),
    ("directory", "@  d\n"),
    ("everything", "x\n@  gone\n!  a\n@  a\n@  d\ny\n"),
    (
        "escaped",
        "\\@  new\\nline\n\\@  \\n\\\\\n\\@  x\\y\n\\@  x\\",
    ),
    ("escaped-missing", "\\!  gone\\n\n\\!  new\\nline\n"),
    ("dash", "@  -\n"),
    ("nothing", ""),
    ("only-comments", "# nothing\n\n"),
    ("rubbish", "\x7fELF\x00\x01\n\u{ff}\u{fe}"),
];

/// Tagged lists, in the same notation.
pub const TAGGED: &[(&str, &str)] = &[
    ("openssl", "BLAKE2b(a)= @\nBLAKE2b(a)=@\nBLAKE2b (a)= @\n"),
    ("tag-blanks", "BLAKE2b (a) =  @\nBLAKE2b (a)\t=\t@\n"),
    ("tag-end", "BLAKE2b (a) = @ \nBLAKE2b (a) = @x\n"),
    ("tag-length", "BLAKE2b-512 (a) = @\nBLAKE2b-256 (a) = @\n"),
    (
        "tag-bad-length",
        "BLAKE2b-9 (a) = ab\nBLAKE2b-520 (a) = @\n",
    ),
    ("tag-zero", "BLAKE2b-0 (a) = @\nBLAKE2b- (a) = @\n"),
    (
        "tag-other",
        "MD5 (a) = 0123456789abcdef0123456789abcdef\n@  a\n",
    ),
    (
        "tag-broken",
        "BLAKE2b (a = @\nBLAKE2b a) = @\nBLAKE2b (a) @\n",
    ),
    (
        "tag-escaped",
        "\\BLAKE2b (\\n\\\\y) = @\n\\BLAKE2b (x\\z) = @\n",
    ),
];
