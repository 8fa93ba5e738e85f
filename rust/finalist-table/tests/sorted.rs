// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the leaves of buckets: few records skip the empty ones.

use finalist::{Algorithm, Params, merkle};
use finalist_table::Sorted;

/// Returns different records, in buckets that are `step` apart.
fn records(count: u32, step: u32) -> Vec<[u8; 32]> {
    let record = |number: u32| {
        let mut record = [0; 32];
        record[..2].copy_from_slice(&((number * step) as u16).to_be_bytes());
        record[28..].copy_from_slice(&number.to_be_bytes());
        record
    };
    (0..count).map(record).collect()
}

#[test]
fn few_and_many_records_have_the_root_of_all_leaves() {
    let (algorithm, params) = (Algorithm::Blake3, Params::new().key(&[7; 32]));
    let sizes = [
        (0, 1),
        (1, 1),
        (2, 0),
        (2, 255),
        (2, 256),
        (2, 257),
        (2, 258),
        (2, 65535),
    ];
    for (count, step) in sizes
        .into_iter()
        .chain([(300, 211), (5000, 13), (70000, 1)])
    {
        let mut rows = Sorted::new(0);
        rows.add(&records(count, step));
        rows.sort();
        let head = merkle::leaf_hashes(algorithm, &params, &["head"]).unwrap();
        let buckets: Vec<&[u8]> = rows.buckets().collect();
        let leaves = merkle::leaf_hashes(algorithm, &params, &buckets).unwrap();
        let expected = merkle::root(algorithm, &params, &[head.clone(), leaves].concat());
        let mut tree = merkle::Tree::new(algorithm, &params).unwrap();
        tree.append(&head).unwrap();
        rows.append_to(&mut tree, algorithm, &params).unwrap();
        assert_eq!(tree.leaf_count(), 1 + 65536);
        assert_eq!(
            tree.root(),
            expected,
            "{count} records, {step} buckets apart"
        );
    }
}
