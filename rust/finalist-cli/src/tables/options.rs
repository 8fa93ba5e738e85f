// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `finalist table`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::hash_options::{FUNCTION, OUTPUT, algorithms, path};
use crate::old_and_new::OldAndNew;

const WHAT: &str = "What to read";

pub const ABOUT: &str = "\
Tables in Parquet: which rows differ, and one root for a whole table.

A table is a file, or a directory of files with the same columns. A directory named NAME=VALUE adds a \
column. Files whose names begin with . or _ are skipped. Columns may be compressed with Snappy, zstd or gzip.";

pub const EXAMPLES: &str = "\
Examples:
  finalist table diff OLD.parquet NEW.parquet --key id
  finalist table root DIRECTORY";

const DIFF_ABOUT: &str = "\
Show which rows were added, removed and changed between two tables. The --key columns identify a row. \
The order of rows and columns, widths of numbers, compression and partitions do not matter. A key that \
occurs several times is reported as a duplicate, unless both tables have the same rows with it.

OLD, or both, may be files that finalist table rows wrote; no table is read if both are. Of two files \
that finalist table buckets wrote, the number of buckets that differ is printed. The exit code is 0 if the tables are equal, 1 if they \
differ, 2 for errors.";

const ROOT_ABOUT: &str = "\
Print one root for a whole table: for its rows and the names of its columns. It equals that of \
finalist.fingerprint in Python, and does not depend on the order of the rows, on files, partitions, \
compression and widths of numbers. The exit code is 0, or 2 for errors.";

const BUCKETS_ABOUT: &str = "\
Write a file of 2 MB with the digests of 2^16 buckets of a table's rows. With it, finalist table diff \
reads the table only if it differs from the other one. finalist.tables in Python reads and writes the \
same files. If the table changes later, only another number of rows shows it.

The exit code is 0, or 2 for errors.";

const ROWS_ABOUT: &str = "\
Write a file with the digests of a table's rows: 32 bytes a row, sorted. finalist table diff takes it in \
place of the older table, which it then does not read. The result has no values of old rows: a key that \
only the older table has is given as its digest. finalist.tables in Python reads and writes the same \
files.

The exit code is 0, or 2 for errors.";

#[derive(Subcommand)]
#[command(defer = true)]
pub enum TableCommand {
    /// Show which rows differ between two tables
    #[command(long_about = DIFF_ABOUT, after_help = "\
Examples:
  finalist table diff OLD.parquet NEW.parquet --key id
  finalist table diff OLD NEW --key day --key id --html DIFF.html
  finalist table diff OLD NEW --key id --json | jq 'select(.change == \"added\")'")]
    Diff(DiffArgs),
    /// Write the digests of a table's buckets, with which a comparison need not read the table
    #[command(long_about = BUCKETS_ABOUT, after_help = "\
Examples:
  finalist table buckets OLD.parquet --key id --output OLD.buckets
  finalist table diff OLD.parquet NEW.parquet --key id --old-buckets OLD.buckets")]
    Buckets(SidecarArgs),
    /// Write the digests of a table's rows, which a comparison reads in place of the table
    #[command(long_about = ROWS_ABOUT, after_help = "\
Examples:
  finalist table rows OLD.parquet --key id --output OLD.rows
  finalist table diff OLD.rows NEW.parquet --key id")]
    Rows(SidecarArgs),
    /// Print the root of a table
    #[command(long_about = ROOT_ABOUT, after_help = "\
Examples:
  finalist table root DATA.parquet
  finalist table root DIRECTORY --columns id,name
  finalist table root DATA.parquet --ordered")]
    Root(RootArgs),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Numbers {
    Exact,
    ByValue,
}

// The parts of a table that are hashed.
#[derive(Args)]
pub struct ColumnOptions {
    /// Use these columns only [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = WHAT)]
    columns: Option<Vec<String>>,

    /// Use this column only; may be given several times, also for names with a comma
    #[arg(long, value_name = "NAME", conflicts_with = "columns", help_heading = WHAT)]
    column: Option<Vec<String>>,

    /// by-value: a decimal that is a whole number equals that integer; exact: it does not
    #[arg(long, value_enum, default_value = "exact", help_heading = WHAT)]
    pub numbers: Numbers,
}

impl ColumnOptions {
    /// Returns the names of the columns to use; `None` for all.
    pub fn names(&self) -> Option<Vec<String>> {
        self.columns.clone().or_else(|| self.column.clone())
    }
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct DiffArgs {
    /// Column that identifies a row; may be given several times
    #[arg(short, long, value_name = "NAME", required = true, help_heading = WHAT)]
    pub key: Vec<String>,

    #[command(flatten)]
    pub columns: ColumnOptions,

    /// The buckets of the older table, which finalist table buckets wrote
    #[arg(long, value_name = "FILE", value_parser = path(), help_heading = WHAT)]
    pub old_buckets: Option<PathBuf>,

    /// The buckets of the newer table
    #[arg(long, value_name = "FILE", value_parser = path(), help_heading = WHAT)]
    pub new_buckets: Option<PathBuf>,

    /// Read the secret key of buckets, or of digests of rows, from FILE: all bytes, a final newline included
    #[arg(long, value_name = "FILE", value_parser = path(), help_heading = WHAT)]
    pub key_file: Option<PathBuf>,

    /// Print at most N rows of each kind
    #[arg(long, value_name = "N", allow_hyphen_values = true, default_value = "10",
          help_heading = OUTPUT)]
    pub rows: usize,

    /// Write a JSON object for each difference, and one with the counts
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// Write all differences to FILE in Parquet
    #[arg(short, long, value_name = "FILE.parquet", value_parser = path(), help_heading = OUTPUT)]
    pub output: Option<PathBuf>,

    /// Write the differences to FILE as a page
    #[arg(long, value_name = "FILE", value_parser = path(), help_heading = OUTPUT)]
    pub html: Option<PathBuf>,

    #[command(flatten)]
    pub tables: OldAndNew,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct SidecarArgs {
    /// Column that identifies a row; may be given several times
    #[arg(short, long, value_name = "NAME", required = true, help_heading = WHAT)]
    pub key: Vec<String>,

    #[command(flatten)]
    pub columns: ColumnOptions,

    /// Read a secret key from FILE: all bytes, a final newline included
    #[arg(long, value_name = "FILE", value_parser = path(), help_heading = FUNCTION)]
    pub key_file: Option<PathBuf>,

    /// Write the digests to FILE
    #[arg(short, long, value_name = "FILE", required = true, value_parser = path(), help_heading = OUTPUT)]
    pub output: PathBuf,

    /// The table
    #[arg(value_name = "TABLE", value_parser = path())]
    pub table: PathBuf,
}

#[derive(Args)]
#[command(args_override_self = true)]
pub struct RootArgs {
    /// The hash function: one with digests of 256 bits
    #[arg(short, long, value_parser = algorithms(), hide_possible_values = true,
          default_value = "blake2s", help_heading = FUNCTION)]
    pub algorithm: String,

    /// Read the key from FILE: all bytes, a final newline included
    #[arg(long, value_name = "FILE", value_parser = path(), help_heading = FUNCTION)]
    pub key_file: Option<PathBuf>,

    #[command(flatten)]
    pub columns: ColumnOptions,

    /// Make the root depend on the order of the rows
    #[arg(long, help_heading = WHAT)]
    pub ordered: bool,

    /// Write the root as a JSON object: table, algorithm, digest_bits, rows, root
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,

    /// The table
    #[arg(value_name = "TABLE", value_parser = path())]
    pub table: PathBuf,
}
