// SPDX-License-Identifier: MIT OR Apache-2.0
//! File names as messages show them: such that a shell reads back the same bytes, with no control
//! character reaching the terminal. The form is the one that the GNU tools use.

use std::borrow::Cow;

use crate::platform::is_unicode;

/// Printable ASCII characters that a shell, or the colon after the name, gives a meaning.
const SPECIAL: &str = " !\"$&'()*:;<=>?[\\^`|";

/// Characters that mean the same between double quotes as elsewhere.
const PLAIN: &str = " '%+,-./:@]_";

/// The same as text.
pub fn shown(name: &[u8]) -> String {
    // What is no UTF-8 was escaped.
    String::from_utf8_lossy(&quoted(name)).into_owned()
}

enum Piece {
    Text(char),
    /// A byte that is not printed as it is.
    Byte(u8),
}

/// The name as a message shows it.
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

/// `'text'`, with `\'` for quotes and `$'\n'` for what cannot be printed.
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

fn pieces(name: &[u8], unicode: bool) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() || !(unicode || c.is_ascii()) {
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
