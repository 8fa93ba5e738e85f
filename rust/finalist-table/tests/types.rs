// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests how the values of Parquet's types are encoded, and the names of their Arrow types.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use finalist_table::{Encoder, Encoding, Messages, NoEncoding, Reader, Table, Time, Version};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, FixedLenByteArray, Int96};
use parquet::errors::Result as Written;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

#[derive(Clone, Copy)]
enum Values<'a> {
    Boolean(&'a [bool]),
    Int32(&'a [i32]),
    Int64(&'a [i64]),
    Int96([u32; 3]),
    Float(&'a [f32]),
    Double(&'a [f64]),
    Bytes(&'a [&'a [u8]]),
}
use Values::{Boolean, Bytes, Double, Float, Int32, Int64};

/// A leaf column: its values, definition levels and repetition levels.
type Leaf<'a> = (Values<'a>, &'a [i16], &'a [i16]);

/// Appends a value to a row.
type Append = for<'a> fn(Encoder<'a>) -> Result<Encoder<'a>, NoEncoding>;

/// Writes a table with one row group.
fn write(path: &Path, schema: &str, leaves: &[Leaf<'_>]) -> Written<()> {
    let schema = Arc::new(parse_message_type(&format!(
        "message schema {{ {schema} }}"
    ))?);
    let mut file = SerializedFileWriter::new(File::create(path)?, schema, Arc::default())?;
    let mut group = file.next_row_group()?;
    for &(values, def, rep) in leaves {
        let mut column = group.next_column()?.expect("a column");
        let (def, rep) = (Some(def), Some(rep));
        let byte_array = |value: &&[u8]| ByteArray::from(value.to_vec());
        match (column.untyped(), values) {
            (ColumnWriter::BoolColumnWriter(out), Boolean(values)) => {
                out.write_batch(values, def, rep)
            }
            (ColumnWriter::Int32ColumnWriter(out), Int32(values)) => {
                out.write_batch(values, def, rep)
            }
            (ColumnWriter::Int64ColumnWriter(out), Int64(values)) => {
                out.write_batch(values, def, rep)
            }
            (ColumnWriter::Int96ColumnWriter(out), Values::Int96([low, high, day])) => {
                let mut value = Int96::new();
                value.set_data(low, high, day);
                out.write_batch(&[value], def, rep)
            }
            (ColumnWriter::FloatColumnWriter(out), Float(values)) => {
                out.write_batch(values, def, rep)
            }
            (ColumnWriter::DoubleColumnWriter(out), Double(values)) => {
                out.write_batch(values, def, rep)
            }
            (ColumnWriter::ByteArrayColumnWriter(out), Bytes(values)) => {
                let values: Vec<_> = values.iter().map(byte_array).collect();
                out.write_batch(&values, def, rep)
            }
            (ColumnWriter::FixedLenByteArrayColumnWriter(out), Bytes(values)) => {
                let values = values.iter().map(byte_array).map(FixedLenByteArray::from);
                out.write_batch(&values.collect::<Vec<_>>(), def, rep)
            }
            _ => panic!("values of another type"),
        }?;
        column.close()?;
    }
    group.close()?;
    file.close()?;
    Ok(())
}

/// Checks the name of the first column's type and the encoding of its values, one in each row.
fn check(schema: &str, leaves: &[Leaf<'_>], type_name: &str, rows: &[Append]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.parquet");
    write(&path, schema, leaves).unwrap_or_else(|error| panic!("{schema}: {error}"));
    let table = Table::open(&path).unwrap_or_else(|error| panic!("{schema}: {error:?}"));
    assert_eq!(table.column(0).type_name, type_name, "{schema}");
    let (mut messages, mut found) = (Messages::default(), Vec::new());
    let mut reader = Reader::new(&table, [&[0], &[], &[]], false);
    while reader.next(&mut messages).expect("rows") {
        found.extend((0..messages.len()).map(|row| messages.part(row, 1).to_vec()));
    }
    let encoding = Encoding {
        version: Version::Nested,
        by_value: false,
    };
    let encoded = rows.iter().map(|append| {
        let mut row = Vec::new();
        append(encoding.begin(&mut row)).expect("a value with an encoding");
        row
    });
    assert_eq!(found, encoded.collect::<Vec<_>>(), "{schema}");
}

/// The older annotations of Parquet name the same types as the newer ones.
#[test]
fn flat_types() {
    let (half, minus_three): (&[&[u8]], &[&[u8]]) = (&[&[0x00, 0x3e]], &[&[0xff, 0xfd]]);
    let (wide, widest): (&[&[u8]], &[&[u8]]) = (&[&[0x40; 17]], &[&[0x40; 32]]);
    let cases: &[(&str, Values<'_>, &str, Append)] = &[
        ("boolean x", Boolean(&[true]), "bool", |row| {
            Ok(row.boolean(true))
        }),
        ("int32 x", Int32(&[-2]), "int32", |row| row.signed(-2)),
        ("int64 x", Int64(&[-2]), "int64", |row| row.signed(-2)),
        ("float x", Float(&[1.5]), "float", |row| Ok(row.float(1.5))),
        ("double x", Double(&[1.5]), "double", |row| {
            Ok(row.float(1.5))
        }),
        ("binary x", Bytes(&[b"a"]), "binary", |row| {
            Ok(row.binary(b"a"))
        }),
        (
            "fixed_len_byte_array(1) x",
            Bytes(&[b"a"]),
            "fixed_size_binary[1]",
            |row| Ok(row.binary(b"a")),
        ),
        (
            "fixed_len_byte_array(2) x (FLOAT16)",
            Bytes(half),
            "halffloat",
            |row| Ok(row.float(1.5)),
        ),
        ("binary x (STRING)", Bytes(&[b"a"]), "string", |row| {
            Ok(row.string("a"))
        }),
        ("binary x (UTF8)", Bytes(&[b"a"]), "string", |row| {
            Ok(row.string("a"))
        }),
        ("binary x (JSON)", Bytes(&[b"a"]), "string", |row| {
            Ok(row.string("a"))
        }),
        ("binary x (BSON)", Bytes(&[b"a"]), "binary", |row| {
            Ok(row.binary(b"a"))
        }),
        ("int32 x (DATE)", Int32(&[-1]), "date32[day]", |row| {
            Ok(row.date(-1))
        }),
        ("int32 x (INTEGER(8, true))", Int32(&[-2]), "int8", |row| {
            row.signed(-2)
        }),
        ("int32 x (INT_8)", Int32(&[-2]), "int8", |row| {
            row.signed(-2)
        }),
        ("int32 x (INT_16)", Int32(&[-2]), "int16", |row| {
            row.signed(-2)
        }),
        ("int32 x (INT_32)", Int32(&[-2]), "int32", |row| {
            row.signed(-2)
        }),
        ("int64 x (INT_64)", Int64(&[-2]), "int64", |row| {
            row.signed(-2)
        }),
        (
            "int32 x (INTEGER(32, false))",
            Int32(&[-1]),
            "uint32",
            |row| Ok(row.integer(u32::MAX.into())),
        ),
        ("int32 x (UINT_8)", Int32(&[2]), "uint8", |row| {
            Ok(row.integer(2))
        }),
        ("int32 x (UINT_16)", Int32(&[2]), "uint16", |row| {
            Ok(row.integer(2))
        }),
        ("int32 x (UINT_32)", Int32(&[-1]), "uint32", |row| {
            Ok(row.integer(u32::MAX.into()))
        }),
        ("int64 x (UINT_64)", Int64(&[-1]), "uint64", |row| {
            Ok(row.integer(u64::MAX))
        }),
        (
            "int32 x (TIME(MILLIS, true))",
            Int32(&[3]),
            "time32[ms]",
            |row| Ok(row.time(Time::OfDay, 3_000_000)),
        ),
        ("int32 x (TIME_MILLIS)", Int32(&[3]), "time32[ms]", |row| {
            Ok(row.time(Time::OfDay, 3_000_000))
        }),
        (
            "int64 x (TIME(MICROS, true))",
            Int64(&[3]),
            "time64[us]",
            |row| Ok(row.time(Time::OfDay, 3000)),
        ),
        ("int64 x (TIME_MICROS)", Int64(&[3]), "time64[us]", |row| {
            Ok(row.time(Time::OfDay, 3000))
        }),
        (
            "int64 x (TIME(NANOS, false))",
            Int64(&[3]),
            "time64[ns]",
            |row| Ok(row.time(Time::OfDay, 3)),
        ),
        (
            "int64 x (TIMESTAMP(MICROS, false))",
            Int64(&[-3]),
            "timestamp[us]",
            |row| Ok(row.time(Time::Timestamp, -3000)),
        ),
        (
            "int64 x (TIMESTAMP(MILLIS, true))",
            Int64(&[-3]),
            "timestamp[ms, tz=UTC]",
            |row| Ok(row.time(Time::Instant, -3_000_000)),
        ),
        (
            "int64 x (TIMESTAMP_MILLIS)",
            Int64(&[-3]),
            "timestamp[ms]",
            |row| Ok(row.time(Time::Timestamp, -3_000_000)),
        ),
        (
            "int64 x (TIMESTAMP_MICROS)",
            Int64(&[-3]),
            "timestamp[us]",
            |row| Ok(row.time(Time::Timestamp, -3000)),
        ),
        ("int32 x (UNKNOWN)", Int32(&[7]), "null", |row| {
            Ok(row.null())
        }),
        // Nanoseconds of the day in the lower 64 bits, then the Julian day.
        (
            "int96 x",
            Values::Int96([5, 1, 2_440_589]),
            "timestamp[ns]",
            |row| Ok(row.time(Time::Timestamp, 86_400_000_000_000 + (1 << 32) + 5)),
        ),
        (
            "int96 x",
            Values::Int96([u32::MAX, u32::MAX, 2_440_588]),
            "timestamp[ns]",
            |row| Ok(row.time(Time::Timestamp, -1)),
        ),
        (
            "int32 x (DECIMAL(9, 2))",
            Int32(&[-150]),
            "decimal128(9, 2)",
            |row| row.decimal(-150, 2),
        ),
        (
            "int64 x (DECIMAL(18, 2))",
            Int64(&[-150]),
            "decimal128(18, 2)",
            |row| row.decimal(-150, 2),
        ),
        (
            "binary x (DECIMAL(4, 2))",
            Bytes(minus_three),
            "decimal128(4, 2)",
            |row| row.decimal(-3, 2),
        ),
        (
            "binary x (DECIMAL(38, 0))",
            Bytes(&[&[3]]),
            "decimal128(38, 0)",
            |row| row.decimal(3, 0),
        ),
        (
            "fixed_len_byte_array(17) x (DECIMAL(39, 0))",
            Bytes(wide),
            "decimal256(39, 0)",
            |row| {
                let mut bytes = [0; 32];
                bytes[..17].fill(0x40);
                row.wide_decimal(bytes, 0)
            },
        ),
        (
            "fixed_len_byte_array(32) x (DECIMAL(76, 0))",
            Bytes(widest),
            "decimal256(76, 0)",
            |row| row.wide_decimal([0x40; 32], 0),
        ),
    ];
    for &(schema, value, name, append) in cases {
        check(
            &format!("required {schema};"),
            &[(value, &[0], &[0])],
            name,
            &[append],
        );
        let schema = format!("optional {schema};");
        check(&schema, &[(value, &[1], &[0])], name, &[append]);
    }
}

/// Lists of each form that programs write: those with one part too few are the older ones.
#[test]
fn lists() {
    let numbers: Leaf<'_> = (Int64(&[1, 2]), &[3, 2, 3, 1, 0], &[0, 1, 1, 0, 0]);
    let rows: &[Append] = &[
        |row| Ok(row.list(3).integer(1).null().integer(2)),
        |row| Ok(row.list(0)),
        |row| Ok(row.null()),
    ];
    for schema in [
        "optional group x (LIST) { repeated group list { optional int64 element; } }",
        "optional group x (MAP) { repeated group list { optional int64 element; } }",
    ] {
        check(schema, &[numbers], "list<int64>", rows);
    }
    let numbers: Leaf<'_> = (Int64(&[1, 2]), &[2, 2, 1, 0], &[0, 1, 0, 0]);
    let rows: &[Append] = &[
        |row| Ok(row.list(2).integer(1).integer(2)),
        |row| Ok(row.list(0)),
        |row| Ok(row.null()),
    ];
    for schema in [
        "optional group x (LIST) { repeated group list { required int64 element; } }",
        "optional group x (LIST) { repeated int64 element; }",
        "optional group x (LIST) { repeated int64 array; }",
    ] {
        check(schema, &[numbers], "list<int64>", rows);
    }
    let numbers: Leaf<'_> = (Int64(&[1, 2, 3]), &[1, 1, 0, 1], &[0, 1, 0, 0]);
    let rows: &[Append] = &[
        |row| Ok(row.list(2).integer(1).integer(2)),
        |row| Ok(row.list(0)),
        |row| Ok(row.list(1).integer(3)),
    ];
    check("repeated int64 x;", &[numbers], "list<int64>", rows);
    let rows: &[Append] = &[
        |row| {
            Ok(row
                .list(2)
                .structure(1)
                .name("a")
                .integer(1)
                .structure(1)
                .name("a")
                .integer(2))
        },
        |row| Ok(row.list(0)),
        |row| Ok(row.list(1).structure(1).name("a").integer(3)),
    ];
    for schema in [
        "required group x (LIST) { repeated group array { required int64 a; } }",
        "required group x (LIST) { repeated group x_tuple { required int64 a; } }",
        "repeated group x { required int64 a; }",
    ] {
        check(schema, &[numbers], "list<struct<a: int64>>", rows);
    }
    check(
        "required group x (LIST) { repeated group list { required int64 a; required int64 b; } }",
        &[
            (Int64(&[1]), &[1, 0], &[0, 0]),
            (Int64(&[2]), &[1, 0], &[0, 0]),
        ],
        "list<struct<a: int64, b: int64>>",
        &[
            |row| {
                Ok(row
                    .list(1)
                    .structure(2)
                    .name("a")
                    .integer(1)
                    .name("b")
                    .integer(2))
            },
            |row| Ok(row.list(0)),
        ],
    );
    // [["a", null], [], null], [] and [null, ["b"]].
    check(
        "required group x (LIST) { repeated group list {
            optional group element (LIST) { repeated group list {
                optional binary element (STRING); } } } }",
        &[(
            Bytes(&[b"a", b"b"]),
            &[4, 3, 2, 1, 0, 1, 4],
            &[0, 2, 1, 1, 0, 0, 1],
        )],
        "list<list<string>>",
        &[
            |row| Ok(row.list(3).list(2).string("a").null().list(0).null()),
            |row| Ok(row.list(0)),
            |row| Ok(row.list(2).null().list(1).string("b")),
        ],
    );
}

#[test]
fn structs() {
    check(
        "optional group x { optional int64 a; required group b { required binary c; } }",
        &[
            (Int64(&[1]), &[2, 1, 0], &[0, 0, 0]),
            (Bytes(&[b"p", b"q"]), &[1, 1, 0], &[0, 0, 0]),
        ],
        "struct<a: int64, b: struct<c: binary>>",
        &[
            |row| {
                let row = row.structure(2).name("a").integer(1);
                Ok(row.name("b").structure(1).name("c").binary(b"p"))
            },
            |row| {
                let row = row.structure(2).name("a").null();
                Ok(row.name("b").structure(1).name("c").binary(b"q"))
            },
            |row| Ok(row.null()),
        ],
    );
}

/// The entries of a map are sorted by their encoding.
#[test]
fn maps() {
    let keys: Leaf<'_> = (
        Bytes(&[b"k", b"a", b"z"]),
        &[2, 2, 1, 0, 2],
        &[0, 1, 0, 0, 0],
    );
    let values: Leaf<'_> = (Int64(&[1, 3]), &[3, 2, 1, 0, 3], &[0, 1, 0, 0, 0]);
    let rows: &[Append] = &[
        |row| Ok(row.map(2).string("a").null().string("k").integer(1)),
        |row| Ok(row.map(0)),
        |row| Ok(row.null()),
        |row| Ok(row.map(1).string("z").integer(3)),
    ];
    let fields = "repeated group key_value { required binary key (STRING); optional int64 value; }";
    for annotation in ["MAP", "MAP_KEY_VALUE"] {
        let schema = format!("optional group x ({annotation}) {{ {fields} }}");
        check(
            &schema,
            &[keys, values],
            "map<key: string, value: int64>",
            rows,
        );
    }
    let list = "optional group value (LIST) { repeated group list { required int64 element; } }";
    check(
        &format!(
            "optional group x (MAP) {{ repeated group key_value {{
                required binary key (STRING); {list} }} }}"
        ),
        &[
            (Bytes(&[b"k"]), &[2], &[0]),
            (Int64(&[1, 3]), &[4, 4], &[0, 2]),
        ],
        "map<key: string, value: list<int64>>",
        &[|row| Ok(row.map(1).string("k").list(2).integer(1).integer(3))],
    );
}

/// Each row but the second is null, so a row that was not skipped is found.
#[test]
fn rows_that_are_not_chosen_are_skipped_in_columns_of_each_type() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.parquet");
    let values = [
        ("boolean", Boolean(&[true])),
        ("int32", Int32(&[5])),
        ("int64", Int64(&[5])),
        ("int96", Values::Int96([5, 0, 2_440_588])),
        ("float", Float(&[5.0])),
        ("double", Double(&[5.0])),
        ("binary", Bytes(&[b"five"])),
        ("fixed_len_byte_array(4)", Bytes(&[b"five"])),
    ];
    for (physical, values) in values {
        let schema = format!("required int64 id; optional {physical} x;");
        let leaves: [Leaf<'_>; 2] = [
            (Int64(&[0, 1, 2]), &[0; 3], &[0; 3]),
            (values, &[0, 1, 0], &[0; 3]),
        ];
        write(&path, &schema, &leaves).expect("a table");
        let table = Table::open(&path).expect("a table");
        let reader = || Reader::new(&table, [&[0], &[1], &[]], false);
        let (mut all, mut chosen) = (Messages::default(), Messages::default());
        assert!(reader().next(&mut all).expect("rows"));
        let found = reader().next_chosen(&mut chosen, |_, is_chosen| {
            is_chosen.extend([false, true, false]);
            Ok(())
        });
        assert!(found.expect("rows"));
        assert_eq!((all.len(), chosen.len()), (3, 1), "{physical}");
        assert_eq!(chosen.part(0, 3), all.part(1, 3), "{physical}");
        assert_ne!(all.part(0, 3)[10..], all.part(1, 3)[10..], "{physical}");
    }
}

#[test]
fn lists_and_maps_of_other_parts_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.parquet");
    let one = "a list or map has not one repeated part";
    let three = "required int64 a; required int64 b; required int64 c;";
    for (schema, expected) in [
        ("{ }".to_owned(), "a struct without fields"),
        (
            "(LIST) { optional group list { required int64 a; } }".to_owned(),
            one,
        ),
        (
            "(LIST) { repeated int64 a; repeated int64 b; }".to_owned(),
            one,
        ),
        (
            format!("(MAP) {{ repeated group list {{ {three} }} }}"),
            "a map has not one key and one value",
        ),
        (
            "(MAP) { repeated int64 a; }".to_owned(),
            "a map has not one key and one value",
        ),
    ] {
        let schema = format!("optional group x {schema}");
        let leaves = [(Int64(&[]), &[0][..], &[0][..]); 3];
        let leaves = &leaves[..schema.matches("int64").count()];
        write(&path, &schema, leaves).unwrap_or_else(|error| panic!("{schema}: {error}"));
        let error = Table::open(&path).err().expect("an error").0;
        let error = String::from_utf8(error).expect("text");
        assert!(
            error.ends_with(&format!(": column 'x': {expected}")),
            "{schema}: {error}"
        );
    }
}

/// The number of a list's elements is that of its first part.
#[test]
fn parts_of_other_lengths_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.parquet");
    let schema = "required int64 id;
        repeated group x { required int64 a; required int64 b; }";
    for (levels, is_sound) in [(&[0, 1][..], true), (&[0, 1, 1], false)] {
        let values = &[1, 2, 3][..levels.len()];
        let leaves: [Leaf<'_>; 3] = [
            (Int64(&[7]), &[0], &[0]),
            (Int64(&[1, 2]), &[1, 1], &[0, 1]),
            (Int64(values), &[1, 1, 1][..levels.len()], levels),
        ];
        write(&path, schema, &leaves).expect("a table");
        let table = Table::open(&path).expect("a table");
        for groups in [[&[0][..], &[1], &[]], [&[0], &[], &[1]]] {
            let mut messages = Messages::default();
            let read = Reader::new(&table, groups, false).next(&mut messages);
            let chosen = Reader::new(&table, groups, false).next_chosen(&mut messages, |_, all| {
                all.push(true);
                Ok(())
            });
            for result in [read, chosen] {
                let error = result.map_err(|error| error.0).err();
                assert_eq!(error.is_none(), is_sound);
                let text = b"damaged: its parts differ in length";
                assert!(error.is_none_or(|error| error.ends_with(text)));
            }
        }
    }
}

#[test]
fn a_decimal_of_more_than_256_bits_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table.parquet");
    for (bytes, is_sound) in [(32, true), (33, false)] {
        let value = vec![1; bytes];
        let values = [&value[..]];
        let leaves = [(Bytes(&values), &[0][..], &[0][..])];
        write(&path, "required binary x (DECIMAL(76, 0));", &leaves).expect("a table");
        let table = Table::open(&path).expect("a table");
        let read = Reader::new(&table, [&[0], &[], &[]], false).next(&mut Messages::default());
        let error = read.map_err(|error| error.0).err();
        assert_eq!(error.is_none(), is_sound);
        assert!(error.is_none_or(|error| error.ends_with(b"a value without an encoding")));
    }
}
