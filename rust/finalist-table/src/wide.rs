// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole numbers of up to 256 bits, with the operations that their exact encoding needs.

/// A sign and a magnitude, whose lowest word comes first. Zero is not negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide {
    pub is_negative: bool,
    words: [u64; 4],
}

impl Wide {
    pub fn of_signed(value: i128) -> Wide {
        let mut wide = Wide::of_unsigned(value.unsigned_abs());
        wide.is_negative = value < 0;
        wide
    }

    pub fn of_unsigned(value: u128) -> Wide {
        Wide {
            is_negative: false,
            words: [value as u64, (value >> 64) as u64, 0, 0],
        }
    }

    /// Reads two's complement, little-endian.
    pub fn of_bytes(bytes: [u8; 32]) -> Wide {
        let is_negative = bytes[31] >> 7 == 1;
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        if is_negative {
            words = negated(words);
        }
        Wide { is_negative, words }
    }

    /// Returns two's complement, little-endian; `None` beyond 256 bits.
    pub fn to_bytes(self) -> Option<[u8; 32]> {
        let words = if self.is_negative {
            negated(self.words)
        } else {
            self.words
        };
        if words[3] >> 63 != u64::from(self.is_negative) {
            return None;
        }
        let mut bytes = [0; 32];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Some(bytes)
    }

    pub fn is_zero(self) -> bool {
        self.words == [0; 4]
    }

    pub fn to_i128(self) -> Option<i128> {
        let [low, high, 0, 0] = self.words else {
            return None;
        };
        let magnitude = u128::from(high) << 64 | u128::from(low);
        if self.is_negative {
            0i128.checked_sub_unsigned(magnitude)
        } else {
            i128::try_from(magnitude).ok()
        }
    }

    /// Divides by ten; returns `None` if there is a remainder.
    pub fn tenth(self) -> Option<Wide> {
        let mut words = self.words;
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let value = rest << 64 | u128::from(*word);
            *word = (value / 10) as u64;
            rest = value % 10;
        }
        (rest == 0).then_some(Wide { words, ..self })
    }

    /// Multiplies by ten; returns `None` beyond 256 bits.
    pub fn times_ten(self) -> Option<Wide> {
        let mut words = self.words;
        let mut carry = 0;
        for word in &mut words {
            let value = u128::from(*word) * 10 + carry;
            *word = value as u64;
            carry = value >> 64;
        }
        let product = Wide { words, ..self };
        (carry == 0 && product.to_bytes().is_some()).then_some(product)
    }
}

/// Returns the two's complement.
fn negated(words: [u64; 4]) -> [u64; 4] {
    let mut carry = true;
    words.map(|word| {
        let (word, over) = (!word).overflowing_add(u64::from(carry));
        carry = over;
        word
    })
}
