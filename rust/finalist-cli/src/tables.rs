// SPDX-License-Identifier: MIT OR Apache-2.0
//! `finalist table`: differences between tables, and roots of tables (docs/guide/tables.md).

mod changes;
mod html;
mod options;
mod parquet_file;
mod text;
mod value;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use finalist::Algorithm;
use finalist_files::checklist::tagged_line;
use finalist_files::message::about;
use finalist_files::new_file::NewFile;
use finalist_files::platform::bytes_of;
use finalist_files::tag::table_tag;
use finalist_table::{
    Buckets, DiffOptions, RecordParameters, RootOptions, Rows, Table, TableError, diff_digests,
    diff_rows,
};
use serde::Serialize;
use serde_json::json;

pub use options::{ABOUT, EXAMPLES, TableCommand};

use crate::failure::Failure;
use crate::hash_options::{check_output, read_key};
use crate::json::{Name, named};
use crate::stdio::print;
use changes::{Changes, Side};
use options::{DiffArgs, Numbers, RootArgs, SidecarArgs};

/// The exit code after errors: 1 means that tables differ.
pub const ERROR: u8 = 2;

pub fn run(command: &TableCommand) -> Result<ExitCode, Failure> {
    match command {
        TableCommand::Diff(args) => diff(args),
        TableCommand::Buckets(args) => sidecar(args, |table, parameters, key| {
            Buckets::new(table, parameters, key)?.write(&args.output)
        }),
        TableCommand::Rows(args) => sidecar(args, |table, parameters, key| {
            Rows::new(table, parameters, key)?.write(&args.output)
        }),
        TableCommand::Root(args) => root(args),
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::message(error.0)
    }
}

fn diff(args: &DiffArgs) -> Result<ExitCode, Failure> {
    check_keys(&args.key)?;
    let tables = [&args.tables.old, &args.tables.new].map(|table| Table::places(table));
    let files = [&args.old_buckets, &args.new_buckets, &args.key_file];
    let inputs = tables.iter().flatten().chain(files.into_iter().flatten());
    for output in [&args.output, &args.html].into_iter().flatten() {
        check_output(output, inputs.clone())?;
    }
    let both = args.output.as_ref().zip(args.html.as_ref());
    if let Some((_, html)) = both.filter(|(output, html)| NewFile::are_one(output, html)) {
        let text = "--output and --html would both write it: name two files";
        return Err(Failure::message(about(&bytes_of(html), text)));
    }
    let key = secret_key(args.key_file.as_deref())?;
    let read = |file: &Option<PathBuf>| {
        let buckets = file.as_ref().map(|file| Buckets::read(file, &key));
        buckets.transpose()
    };
    let options = DiffOptions {
        keys: args.key.clone(),
        columns: args.columns.names(),
        by_value: args.columns.numbers == Numbers::ByValue,
        old_buckets: read(&args.old_buckets)?,
        new_buckets: read(&args.new_buckets)?,
        bucket_key: key,
    };
    let (old, new) = (
        Table::open(&args.tables.old)?,
        Table::open(&args.tables.new)?,
    );
    if Buckets::are_in(&old) && Buckets::are_in(&new) {
        return diff_buckets(args, &options);
    }
    for (table, option) in [(&old, "--old-buckets"), (&new, "--new-buckets")] {
        if Buckets::are_in(table) {
            let text =
                format!("this is a file of buckets: give it with {option}, beside its table");
            return Err(Failure::message(about(&bytes_of(table.path()), &text)));
        }
    }
    let read = |table| Rows::are_in(table).then(|| Rows::read(table, &options.bucket_key));
    let rows = read(&old).transpose()?;
    if rows.is_none() && Rows::are_in(&new) {
        let text = "digests of rows can replace the older table, or both, but not the newer alone";
        return Err(Failure::message(about(&bytes_of(new.path()), text)));
    }
    let has_buckets = options.old_buckets.is_some() || options.new_buckets.is_some();
    let new_rows = read(&new).transpose()?;
    if rows.is_some() && has_buckets {
        let text = "buckets have no use here: OLD contains the digests of rows";
        return Err(Failure::misuse(text.to_owned()));
    }
    if rows.is_none() && !has_buckets && args.key_file.is_some() {
        let text = "--key-file is the secret key of buckets or of digests of rows: there are none";
        return Err(Failure::misuse(text.to_owned()));
    }
    let found = match (&rows, &new_rows) {
        (Some(rows), Some(new)) => diff_digests(rows, new, &options)?,
        (Some(rows), None) => diff_rows(rows, &new, &options)?,
        (None, _) => finalist_table::diff(&old, &new, &options)?,
    };
    let changes = Changes {
        found: &found,
        old: rows.as_ref().map_or(Side::Table(&old), Side::Rows),
        new: new_rows.as_ref().map_or(Side::Table(&new), Side::Rows),
    };
    if let Some(file) = &args.output {
        parquet_file::write(file, &changes)?;
    }
    if let Some(file) = &args.html {
        html::write(file, &changes)?;
    }
    match args.json {
        true => text::print_json(&changes)?,
        false => text::print(&changes, args.rows)?,
    }
    Ok(ExitCode::from(u8::from(!found.is_equal())))
}

/// Compares two files of buckets, without their tables.
fn diff_buckets(args: &DiffArgs, options: &DiffOptions) -> Result<ExitCode, Failure> {
    if args.html.is_some() || args.output.is_some() {
        let text = "--html and --output need the tables: buckets do not show which rows differ";
        return Err(Failure::misuse(text.to_owned()));
    }
    if options.old_buckets.is_some() || options.new_buckets.is_some() {
        let text = "buckets have no use here: OLD and NEW contain them";
        return Err(Failure::misuse(text.to_owned()));
    }
    let paths = [&args.tables.old, &args.tables.new];
    let [old, new] = paths.map(|path| Buckets::read(path, &options.bucket_key));
    let (old, new) = (old?, new?);
    let differing = old.differing(&new, options)?;
    let line = match args.json {
        true => json!({
            "equal": differing == 0,
            "buckets": Buckets::COUNT,
            "differing": differing,
            "old_rows": old.rows(),
            "new_rows": new.rows(),
        })
        .to_string(),
        false => text::buckets_line(paths, differing, old.rows()),
    };
    print(format!("{line}\n").as_bytes())?;
    Ok(ExitCode::from(u8::from(differing != 0)))
}

fn check_keys(keys: &[String]) -> Result<(), Failure> {
    let mut places = keys.iter().enumerate();
    match places.find(|(place, name)| keys[..*place].contains(name)) {
        None => Ok(()),
        Some((_, name)) => Err(Failure::misuse(format!("--key '{name}' is given twice"))),
    }
}

/// Returns the secret key of buckets; empty for none.
fn secret_key(file: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let info = Algorithm::Blake2s.info();
    let key = file.map(|file| read_key(file, Some(&info), false));
    Ok(key.transpose()?.unwrap_or_default())
}

/// Writes a file of digests beside a table.
fn sidecar(
    args: &SidecarArgs,
    write: impl FnOnce(&Table, RecordParameters, &[u8]) -> Result<(), TableError>,
) -> Result<ExitCode, Failure> {
    check_keys(&args.key)?;
    let table = Table::places(&args.table);
    check_output(&args.output, table.iter().chain(&args.key_file))?;
    let key = secret_key(args.key_file.as_deref())?;
    let table = Table::open(&args.table)?;
    let others = match args.columns.names() {
        Some(names) => names,
        None => {
            let columns = table.columns();
            columns.iter().map(|column| column.name.clone()).collect()
        }
    };
    let mut columns = Vec::new();
    for name in others {
        if !args.key.contains(&name) && !columns.contains(&name) {
            columns.push(name);
        }
    }
    let parameters = RecordParameters {
        keys: args.key.clone(),
        columns,
        by_value: args.columns.numbers == Numbers::ByValue,
    };
    write(&table, parameters, &key)?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Root<'a> {
    algorithm: &'a str,
    digest_bits: u64,
    rows: u64,
    root: String,
}

fn root(args: &RootArgs) -> Result<ExitCode, Failure> {
    let error = |error: finalist::Error| Failure::message(format!("--algorithm: {error}"));
    let algorithm = Algorithm::from_name(&args.algorithm).map_err(error)?;
    let info = algorithm.info();
    let key = args.key_file.as_deref();
    let key = key.map(|file| read_key(file, Some(&info), false));
    let options = RootOptions {
        algorithm,
        key: key.transpose()?.unwrap_or_default(),
        columns: args.columns.names(),
        by_value: args.columns.numbers == Numbers::ByValue,
        is_ordered: args.ordered,
    };
    options.check().map_err(error)?;
    let table = Table::open(&args.table)?;
    let root = finalist_table::root(&table, &options)?;
    let name = bytes_of(&args.table);
    let line = match args.json {
        false => {
            let tag = table_tag(&info, root.len() as u64, options.is_ordered);
            let mut line = tagged_line(&tag, &name, &root);
            line.push(b'\n');
            line
        }
        true => {
            let member = "table";
            let bytes = &name;
            let result = Root {
                algorithm: algorithm.name(),
                digest_bits: root.len() as u64 * 8,
                rows: table.rows(),
                root: hex::encode(&root),
            };
            named(Some(Name { member, bytes }), result)
        }
    };
    print(&line)?;
    Ok(ExitCode::SUCCESS)
}
