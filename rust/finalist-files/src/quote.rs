// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quotes file names for messages: a shell reads back the same bytes, and no control character or
//! invisible character reaches the terminal. The form is that of the GNU tools.

use std::borrow::Cow;
use std::io::IsTerminal;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use crate::platform::is_unicode;

/// Maximum width in columns of one name or other foreign text in a message.
const COLUMNS_MAX: usize = 200;
/// Maximum width of a line of a message.
const LINE_COLUMNS_MAX: usize = 1000;
/// Replaces the middle of a longer text.
const DOTS: &str = "...";

/// Printable ASCII characters with a meaning for a shell, or for the colon after the name.
const SPECIAL: &str = " !\"$&'()*:;<=>?[\\^`|";

/// Characters with the same meaning inside and outside double quotes.
const PLAIN: &str = " '%+,-./:@]_";

/// Quotes a name for a message, without its middle if it is long.
pub fn short(name: &[u8]) -> Vec<u8> {
    let pieces = pieces(name, is_unicode());
    match long_ends(&pieces, COLUMNS_MAX) {
        None => quoted(name),
        Some((head, tail)) => {
            let ends = [head, tail].map(|pieces| quoted(&bytes_of(pieces)));
            ends.join(DOTS.as_bytes())
        }
    }
}

/// Quotes a name as [`short`] does and returns a string.
pub fn shown(name: &[u8]) -> String {
    // Bytes that are not UTF-8 are escaped.
    String::from_utf8_lossy(&short(name)).into_owned()
}

/// Quotes the content of a file or an argument for a message, without its middle if it is long.
pub fn excerpt(text: impl AsRef<[u8]>) -> String {
    cut(text.as_ref(), COLUMNS_MAX)
}

/// Returns a message that contains only visible characters and line ends, in lines of limited
/// length.
pub fn cleaned(text: &[u8]) -> String {
    let lines = text.split(|&byte| byte == b'\n');
    let lines: Vec<_> = lines.map(|line| cut(line, LINE_COLUMNS_MAX)).collect();
    lines.join("\n")
}

/// Returns a text as a stream gets it: on a terminal, everything that is no visible character, line
/// end or tab is escaped.
pub fn displayed<'a>(text: &'a [u8], stream: &impl IsTerminal) -> Cow<'a, [u8]> {
    let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
    if text.iter().all(is_plain) || !stream.is_terminal() {
        return text.into();
    }
    let mut out = Vec::with_capacity(text.len());
    for piece in pieces(text, is_unicode()) {
        match piece {
            Piece::Byte(byte @ (b'\n' | b'\t')) => out.push(byte),
            piece => out.extend(piece.escaped().as_bytes()),
        }
    }
    out.into()
}

/// Escapes a text and removes its middle if it takes more columns.
fn cut(text: &[u8], columns_max: usize) -> String {
    let pieces = pieces(text, true);
    let escaped = |pieces: &[Piece]| pieces.iter().map(Piece::escaped).collect::<String>();
    match long_ends(&pieces, columns_max) {
        None => escaped(&pieces),
        Some((head, tail)) => [escaped(head), escaped(tail)].join(DOTS),
    }
}

/// Returns the first and last pieces of a text that takes too many columns.
fn long_ends(pieces: &[Piece], columns_max: usize) -> Option<(&[Piece], &[Piece])> {
    let columns = |pieces: &[Piece]| pieces.iter().map(Piece::columns).sum::<usize>();
    if columns(pieces) <= columns_max {
        return None;
    }
    let fitting = |pieces: &mut dyn Iterator<Item = &Piece>, columns_max: usize| {
        let mut columns = 0;
        let fits = pieces.take_while(|piece| {
            columns += piece.columns();
            columns <= columns_max
        });
        fits.count()
    };
    let head = fitting(&mut pieces.iter(), columns_max * 3 / 5);
    let tail_columns = columns_max * 2 / 5 - DOTS.len();
    let tail = fitting(&mut pieces.iter().rev(), tail_columns);
    Some((&pieces[..head], &pieces[pieces.len() - tail..]))
}

fn bytes_of(pieces: &[Piece]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(c) => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Piece::Byte(byte) => bytes.push(*byte),
        }
    }
    bytes
}

enum Piece {
    Text(char),
    /// A byte that must be escaped.
    Byte(u8),
}

impl Piece {
    fn escaped(&self) -> Cow<'static, str> {
        match self {
            Piece::Text(c) => c.to_string().into(),
            Piece::Byte(byte) => escape(*byte),
        }
    }

    fn columns(&self) -> usize {
        match self {
            Piece::Text(_) => 1,
            Piece::Byte(byte) => escape(*byte).len(),
        }
    }
}

/// Quotes a name for a line of results.
pub fn quoted(name: &[u8]) -> Vec<u8> {
    let pieces = pieces(name, is_unicode());
    let escapes = pieces.iter().any(|piece| matches!(piece, Piece::Byte(_)));
    let special = |index: usize, c: char| match c {
        '#' | '~' => index == 0,
        '{' | '}' => name.len() == 1,
        _ => SPECIAL.contains(c),
    };
    let mut texts = pieces
        .iter()
        .enumerate()
        .filter_map(|(index, piece)| match piece {
            Piece::Text(c) => Some((index, *c)),
            Piece::Byte(_) => None,
        });
    if !name.is_empty() && !escapes && !texts.clone().any(|(index, c)| special(index, c)) {
        return name.to_vec();
    }
    let plain = |(index, c): (usize, char)| {
        let own = c.is_ascii_alphanumeric() || (index == 0 && "#~".contains(c));
        own || PLAIN.contains(c) || !c.is_ascii()
    };
    if !escapes && name.contains(&b'\'') && texts.all(plain) {
        return [b"\"", name, b"\""].concat();
    }
    single_quoted(&pieces)
}

/// Returns `'text'`, with `\'` for quotes and `$'\n'` for characters that cannot be printed.
fn single_quoted(pieces: &[Piece]) -> Vec<u8> {
    let mut out = vec![b'\''];
    let mut escaping = false;
    for piece in pieces {
        match *piece {
            Piece::Byte(byte) => {
                if !escaping {
                    out.extend(b"'$'");
                }
                escaping = true;
                out.extend(escape(byte).as_bytes());
            }
            Piece::Text('\'') => {
                out.extend(b"'\\''");
                escaping = false;
            }
            Piece::Text(c) => {
                if escaping {
                    out.extend(b"''");
                }
                escaping = false;
                out.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }
    out.push(b'\'');
    out
}

fn escape(byte: u8) -> Cow<'static, str> {
    match byte {
        7 => "\\a".into(),
        8 => "\\b".into(),
        b'\t' => "\\t".into(),
        b'\n' => "\\n".into(),
        11 => "\\v".into(),
        12 => "\\f".into(),
        b'\r' => "\\r".into(),
        _ => format!("\\{byte:03o}").into(),
    }
}

/// Returns true for characters that are invisible or change the order of others: category Format,
/// Default_Ignorable_Code_Point, and blanks that look like others.
fn is_unseen(c: char) -> bool {
    use GeneralCategory::{
        Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, SpaceSeparator, Unassigned,
    };
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let category = c.general_category();
    matches!(
        category,
        Control
            | Format
            | LineSeparator
            | ParagraphSeparator
            | PrivateUse
            | SpaceSeparator
            | Unassigned
    ) || matches!(
        c,
        '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{2065}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}'
    )
}

fn pieces(name: &[u8], unicode: bool) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_unseen(c) || !(unicode || c.is_ascii()) {
                let mut bytes = [0; 4];
                pieces.extend(c.encode_utf8(&mut bytes).bytes().map(Piece::Byte));
            } else {
                pieces.push(Piece::Text(c));
            }
        }
        pieces.extend(chunk.invalid().iter().copied().map(Piece::Byte));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unseen_is_shown() {
        for c in [
            '\u{7}',
            '\u{7f}',
            '\u{85}',
            '\u{a0}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{2028}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{3164}',
            '\u{feff}',
            '\u{fe0f}',
            '\u{fff9}',
            '\u{1d173}',
            '\u{e0001}',
            '\u{e0100}',
        ] {
            let text = format!("a{c}b");
            let escaped: String = c.to_string().bytes().map(escape).collect();
            assert_eq!(excerpt(&text), format!("a{escaped}b"));
            assert_eq!(cleaned(text.as_bytes()), format!("a{escaped}b"));
            let name = format!("'a'$'{escaped}''b'");
            assert_eq!(quoted(text.as_bytes()), name.as_bytes());
        }
        for text in [
            "a b",
            "\u{f8}",
            "e\u{301}",
            "\u{4e2d}",
            "\u{1f600}",
            "\u{5d0}",
        ] {
            assert_eq!(excerpt(text), text);
            assert_eq!(cleaned(text.as_bytes()), text);
        }
        assert_eq!(cleaned(b"one\ntwo\xff\r"), "one\ntwo\\377\\r");
        assert_eq!(quoted(b"x'\n"), br"'x'\'''$'\n'");
    }

    #[test]
    fn long_names_lose_their_middle() {
        for (name, whole) in [
            ("n".repeat(200), true),
            ("n".repeat(201), false),
            ("\u{7}".repeat(100), true),
            ("\u{7}".repeat(101), false),
            ("\u{202e}".repeat(17), false),
            (format!("{}{}", "a".repeat(1 << 20), "end"), false),
        ] {
            let short = short(name.as_bytes());
            assert_eq!(short == quoted(name.as_bytes()), whole);
            assert!(whole || short.len() <= COLUMNS_MAX + 20, "{}", short.len());
            let text = excerpt(&name);
            assert!(text.len() <= COLUMNS_MAX, "{text}");
            assert_eq!(text.contains(DOTS), !whole);
            assert!(!name.ends_with("end") || text.ends_with("end"));
        }
        // Three columns in five remain of the beginning, and the dots count to the end.
        let name = ["a".repeat(120), "b".repeat(4), "c".repeat(77)].concat();
        let ends = ["a".repeat(120), "c".repeat(77)].join(DOTS);
        assert_eq!(excerpt(&name), ends);
        // A line of a message may be longer.
        assert_eq!(cleaned(&[b'x'; 1000]), "x".repeat(1000));
        let ends = ["x".repeat(600), "x".repeat(397)].join(DOTS);
        assert_eq!(cleaned(&[b'x'; 1001]), ends);
    }
}
