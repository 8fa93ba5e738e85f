// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks rows against the vectors of docs/format/rows.md, as do the Python package's tests.

use finalist_table::{Encoder, Encoding, NoEncoding, Time, Version, float16};

type Result = std::result::Result<(), NoEncoding>;

const NESTED: Encoding = Encoding {
    version: Version::Nested,
    by_value: false,
};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a row of version 1 in hexadecimal, without its first byte.
fn flat(
    append: impl for<'a> FnOnce(Encoder<'a>) -> std::result::Result<Encoder<'a>, NoEncoding>,
) -> std::result::Result<String, NoEncoding> {
    let mut row = Vec::new();
    append(Encoder::new(&mut row))?;
    assert_eq!(row[0], 1);
    Ok(hex(&row[1..]))
}

#[test]
fn flat_values() -> Result {
    let values = [
        (flat(|row| Ok(row.signed_64(5)))?, "020500000000000000"),
        (flat(|row| Ok(row.integer(u64::MAX)))?, "02ffffffffffffffff"),
        (flat(|row| Ok(row.signed_64(-2)))?, "03feffffffffffffff"),
        (flat(|row| row.signed(-2))?, "03feffffffffffffff"),
        (flat(|row| row.unsigned(5))?, "020500000000000000"),
        (flat(|row| Ok(row.boolean(true)))?, "0101"),
        (flat(|row| Ok(row.null()))?, "00"),
        (flat(|row| Ok(row.float(1.5)))?, "04000000000000f83f"),
        (flat(|row| Ok(row.float(-0.0)))?, "040000000000000000"),
        (flat(|row| Ok(row.float(-f64::NAN)))?, "04000000000000f87f"),
        (
            flat(|row| Ok(row.float(f64::NEG_INFINITY)))?,
            "04000000000000f0ff",
        ),
        (
            flat(|row| Ok(row.binary(&[0, 255])))?,
            "05020000000000000000ff",
        ),
        (flat(|row| Ok(row.string("é")))?, "060200000000000000c3a9"),
        (flat(|row| Ok(row.string("")))?, "060000000000000000"),
        (flat(|row| Ok(row.date(-1)))?, "07ffffffffffffffff"),
        (
            flat(|row| Ok(row.time(Time::OfDay, 1000)))?,
            "08e8030000000000000000000000000000",
        ),
        (
            flat(|row| Ok(row.time(Time::Timestamp, 1_000_000_000)))?,
            "0900ca9a3b000000000000000000000000",
        ),
        (
            flat(|row| Ok(row.time(Time::Instant, 1_000_000_000)))?,
            "0a00ca9a3b000000000000000000000000",
        ),
        (
            flat(|row| Ok(row.time(Time::Duration, -1_000_000)))?,
            "0bc0bdf0ffffffffffffffffffffffffff",
        ),
        (
            flat(|row| row.decimal(150, 2))?,
            "0c010000000f000000000000000000000000000000",
        ),
        (
            flat(|row| row.decimal(0, 2))?,
            "0c0000000000000000000000000000000000000000",
        ),
        (
            flat(|row| row.decimal(12, -2))?,
            "0cfeffffff0c000000000000000000000000000000",
        ),
    ];
    for (found, expected) in values {
        assert_eq!(found, expected);
    }
    Ok(())
}

/// Values are appended one after another: a row's first columns are a prefix of its bytes.
#[test]
fn rows() {
    let mut row = Vec::new();
    Encoder::new(&mut row).integer(1).string("a").float(0.5);
    let expected = "010201000000000000000601000000000000006104000000000000e03f";
    assert_eq!(hex(&row), expected);
    let mut resumed = Vec::new();
    Encoder::new(&mut resumed).integer(1);
    NESTED.resume(&mut resumed).string("a").float(0.5);
    assert_eq!(row, resumed);
}

#[test]
fn nested_values() {
    let mut row = Vec::new();
    NESTED.begin(&mut row).list(2).integer(1).null();
    assert_eq!(hex(&row), "020f020000000000000002010000000000000000");
    row.clear();
    NESTED.begin(&mut row).structure(1).name("a").integer(1);
    let expected = "0210010000000000000001000000000000006102".to_owned() + "0100000000000000";
    assert_eq!(hex(&row), expected);
    row.clear();
    NESTED.begin(&mut row).map(1).string("k").boolean(true);
    assert_eq!(hex(&row), "021101000000000000000601000000000000006b0101");
    row.clear();
    NESTED.begin(&mut row).interval(1, -2, 3);
    assert_eq!(hex(&row), "021201000000feffffff0300000000000000");
    row.clear();
    NESTED.begin(&mut row).zoned_time(1000, -3600);
    assert_eq!(hex(&row), "0213e8030000000000000000000000000000f0f1ffff");
}

/// Returns the 32 bytes of 2^130 + 1.
fn wide() -> [u8; 32] {
    let mut bytes = [0; 32];
    (bytes[0], bytes[16]) = (1, 4);
    bytes
}

fn ten_times(bytes: [u8; 32]) -> [u8; 32] {
    let mut carry = 0;
    bytes.map(|byte| {
        carry = 10 * u16::from(byte) + (carry >> 8);
        carry as u8
    })
}

/// Returns the negated number.
fn negative(bytes: [u8; 32]) -> [u8; 32] {
    let mut carry = true;
    bytes.map(|byte| {
        let (byte, more) = (!byte).overflowing_add(carry.into());
        carry = more;
        byte
    })
}

#[test]
fn wide_numbers() -> Result {
    let mut row = Vec::new();
    NESTED.begin(&mut row).wide_decimal(wide(), 0)?;
    assert_eq!(hex(&row), "020e00000000".to_owned() + &hex(&wide()));
    // A zero at the end makes no difference, whatever the remainders of the upper parts.
    let mut uneven = wide();
    uneven[15..20].fill(0x81);
    for bytes in [wide(), uneven] {
        let mut tenths = Vec::new();
        row.clear();
        NESTED.begin(&mut row).wide_decimal(bytes, 0)?;
        let tens = ten_times(bytes);
        NESTED.begin(&mut tenths).wide_decimal(tens, 1)?;
        assert_eq!(hex(&row), hex(&tenths));
    }
    row.clear();
    NESTED.begin(&mut row).unsigned(1 << 64)?;
    let mut expected = [0; 32];
    expected[8] = 1;
    assert_eq!(hex(&row), "020d".to_owned() + &hex(&expected));
    // A decimal that fits into 128 bits is encoded as one of these.
    let mut bytes = [0; 32];
    bytes[12] = 0x30;
    for (number, bytes) in [(3 << 100, bytes), (-(3 << 100), negative(bytes))] {
        row.clear();
        NESTED.begin(&mut row).wide_decimal(bytes, 1)?;
        let mut expected = Vec::new();
        NESTED.begin(&mut expected).decimal(number, 1)?;
        assert_eq!(hex(&row), hex(&expected));
    }
    assert!(flat(|row| row.unsigned(1 << 64)).is_err());
    assert!(flat(|row| row.signed(-(1 << 64))).is_err());
    assert!(flat(|row| row.wide_decimal(wide(), 0)).is_err());
    Ok(())
}

/// By value, a decimal is encoded as the integer that equals it, whatever its width.
#[test]
fn numbers_by_value() -> Result {
    let by_value = Encoding {
        by_value: true,
        ..NESTED
    };
    let (mut integer, mut decimal) = (Vec::new(), Vec::new());
    by_value.begin(&mut integer).signed(-1200)?;
    let mut bytes = [0xff; 32];
    bytes[..16].copy_from_slice(&(-12_000i128).to_le_bytes());
    for append in [
        |row: Encoder<'_>, _| row.decimal(-12, -2).map(|_| ()),
        |row: Encoder<'_>, bytes| row.wide_decimal(bytes, 1).map(|_| ()),
    ] {
        decimal.clear();
        append(by_value.begin(&mut decimal), bytes)?;
        assert_eq!(hex(&decimal), hex(&integer));
    }
    decimal.clear();
    by_value.begin(&mut decimal).decimal(-1200, 0)?;
    assert_eq!(hex(&decimal), hex(&integer));
    decimal.clear();
    by_value.begin(&mut decimal).decimal(-1201, 0)?;
    assert_eq!(decimal[1], 3);
    for (scale, tag) in [(0, 13), (1, 14)] {
        decimal.clear();
        by_value.begin(&mut decimal).wide_decimal(wide(), scale)?;
        assert_eq!(decimal[1], tag);
    }
    // More than 64 bits, of which the lower ones carry.
    integer.clear();
    by_value
        .begin(&mut integer)
        .signed(100 * i128::from(u64::MAX))?;
    decimal.clear();
    by_value.begin(&mut decimal).decimal(u64::MAX.into(), -2)?;
    assert_eq!(hex(&decimal), hex(&integer));
    decimal.clear();
    by_value.begin(&mut decimal).decimal(-15, 1)?;
    assert_eq!(decimal[1], 12);
    // What takes more than 256 bits stays a decimal, even if only its sign has no room.
    let most = |byte| {
        let mut bytes = [0; 32];
        bytes[31] = byte;
        bytes
    };
    for (unscaled, scale) in [(wide(), -200), (most(0x10), -1), (most(0x20), -1)] {
        decimal.clear();
        by_value.begin(&mut decimal).wide_decimal(unscaled, scale)?;
        assert_eq!(decimal[1], 14);
    }
    Ok(())
}

#[test]
fn floats_of_16_bits() {
    for (bits, value) in [
        (0x0000, 0.0),
        (0x0001, 2f64.powi(-24)),
        (0x03ff, 1023.0 * 2f64.powi(-24)),
        (0x0400, 2f64.powi(-14)),
        (0x3555, 1365.0 / 4096.0),
        (0x3c00, 1.0),
        (0x4000, 2.0),
        (0x7bff, 65504.0),
        (0x7c00, f64::INFINITY),
    ] {
        assert_eq!(float16(bits), value, "{bits:x}");
        assert_eq!(float16(0x8000 | bits), -value, "-{bits:x}");
    }
    assert!(float16(0x7c01).is_nan() && float16(0xfe00).is_nan());
}
