// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares columns in every layout with the same messages one at a time, and checks errors.

use finalist::{Algorithm, Buffer, Column, Error, Params, hash, hash_column_into};

const VALUES: [Option<&[u8]>; 5] = [
    Some(b"one"),
    None,
    Some(b""),
    Some(b"a value that is longer than twelve bytes"),
    Some(b"three"),
];
const VALIDITY: [u8; 2] = [0b1110_1000, 0b0000_0000];
const VALIDITY_OFFSET: usize = 3;

fn expected(algorithm: Algorithm, params: &Params<'_>, values: &[Option<&[u8]>]) -> Vec<u8> {
    let stride = algorithm.info().digest_bytes;
    let digests = values.iter().map(|value| match value {
        Some(value) => hash(algorithm, params, value).expect("a digest"),
        None => vec![0; stride],
    });
    digests.collect::<Vec<_>>().concat()
}

fn check(column: &Column<'_>, values: &[Option<&[u8]>]) {
    assert_eq!(column.len(), values.len());
    assert!(!column.is_empty());
    for &algorithm in Algorithm::all() {
        let info = algorithm.info();
        if info.digest_bytes_max > 64 {
            continue;
        }
        for key in [&b""[..], b"key"] {
            let params = Params::new().key(&key[..key.len().min(info.key_bytes_max)]);
            let mut digests = vec![0xaa; values.len() * info.digest_bytes];
            hash_column_into(algorithm, &params, column, &mut digests).expect("digests");
            assert_eq!(digests, expected(algorithm, &params, values), "{algorithm}");
        }
    }
}

/// Returns a view of a value of the buffer; a short value is stored in the view.
fn view(value: &[u8], buffer: i32, offset: i32) -> [u8; 16] {
    let mut view = [0; 16];
    view[..4].copy_from_slice(&(value.len() as i32).to_ne_bytes());
    if value.len() <= 12 {
        view[4..4 + value.len()].copy_from_slice(value);
    } else {
        view[4..8].copy_from_slice(&value[..4]);
        view[8..12].copy_from_slice(&buffer.to_ne_bytes());
        view[12..].copy_from_slice(&offset.to_ne_bytes());
    }
    view
}

#[test]
fn every_layout_gives_the_digests_of_its_values() {
    let data: Vec<u8> = VALUES
        .iter()
        .copied()
        .flatten()
        .flatten()
        .copied()
        .collect();
    let mut ends = vec![0];
    for value in VALUES {
        ends.push(ends[ends.len() - 1] + value.map_or(0, <[u8]>::len));
    }
    let narrow: Vec<_> = ends.iter().map(|&end| end as i32).collect();
    let wide: Vec<_> = ends.iter().map(|&end| end as i64).collect();
    for column in [
        Column::from_offsets32(&narrow, &data),
        Column::from_offsets64(&wide, &data),
    ] {
        check(&column.validity(&VALIDITY, VALIDITY_OFFSET), &VALUES);
        check(&column, &VALUES.map(|value| value.or(Some(b""))));
    }
    let buffers = [Buffer::new(b"another"), Buffer::new(&data)];
    let views: Vec<_> = VALUES
        .iter()
        .zip(&narrow)
        .map(|(value, &offset)| value.map_or([0xff; 16], |value| view(value, 1, offset)))
        .collect();
    let column = Column::from_views(&views, &buffers).validity(&VALIDITY, VALIDITY_OFFSET);
    check(&column, &VALUES);
    let fixed = Column::from_fixed(3, 3, b"abcdefghi");
    check(&fixed, &[Some(b"abc"), Some(b"def"), Some(b"ghi")]);
    check(&Column::from_fixed(0, 2, b""), &[Some(b""), Some(b"")]);
}

#[test]
fn what_reaches_beyond_the_data_is_refused() {
    let long = [b'x'; 20];
    let buffers = [Buffer::new(&long)];
    let views = [view(&long, 1, 0)];
    let beyond = [view(&long, 0, 1)];
    for column in [
        Column::from_offsets32(&[0, 3, 2], b"abc"),
        Column::from_offsets32(&[0, 2, 4], b"abc"),
        Column::from_offsets32(&[-1, 2, 3], b"abc"),
        Column::from_offsets64(&[0, i64::MAX, 3], b"abc"),
        Column::from_offsets64(&[0, i64::MIN, 3], b"abc"),
        Column::from_views(&views, &buffers),
        Column::from_views(&beyond, &buffers),
        Column::from_fixed(2, 2, b"abc"),
        Column::from_fixed(usize::MAX, 2, b"abc"),
    ] {
        let mut digests = [0xaa; 2 * 32];
        let result = hash_column_into(Algorithm::Blake2s, &Params::new(), &column, &mut digests);
        assert_eq!(result, Err(Error::Column));
        assert_eq!(digests, [0xaa; 2 * 32]);
    }
}

#[test]
fn there_must_be_a_digest_and_a_bit_for_each_value() {
    let column = Column::from_offsets32(&[0, 1, 2], b"ab");
    let short = &mut [0; 63];
    let result = hash_column_into(Algorithm::Blake2s, &Params::new(), &column, short);
    assert_eq!(result, Err(Error::OutputLength));
    let empty = Column::from_offsets32(&[], b"");
    assert!(empty.is_empty());
    assert_eq!(
        hash_column_into(Algorithm::Blake2s, &Params::new(), &empty, &mut []),
        Ok(())
    );
    for (bits, offset) in [(&[0xff][..], 7), (&[][..], 0), (&[0xff], usize::MAX)] {
        assert!(std::panic::catch_unwind(|| column.validity(bits, offset)).is_err());
    }
}
