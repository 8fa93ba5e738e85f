// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lists the differences between two tables with their values.

use std::path::Path;

use finalist_table::{BufferedRows, Rows, Table, TableDiff};
use serde_json::{Map, Value, json};

use super::value::Values;

/// One of the tables, or the digests of its rows.
pub enum Side<'a> {
    Table(&'a Table),
    Rows(&'a Rows),
}

impl Side<'_> {
    pub fn path(&self) -> &Path {
        match self {
            Side::Table(table) => table.path(),
            Side::Rows(rows) => rows.path(),
        }
    }

    pub fn rows(&self) -> u64 {
        match self {
            Side::Table(table) => table.rows(),
            Side::Rows(rows) => rows.len(),
        }
    }
}

/// The result of a comparison and the tables.
pub struct Changes<'a> {
    pub found: &'a TableDiff,
    pub old: Side<'a>,
    pub new: Side<'a>,
}

/// The name of a key of which only the digest is known, in place of its columns.
const KEY_DIGEST: &str = "key_digest";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Added,
    Removed,
    Changed,
    Duplicate,
}

impl Kind {
    pub const ALL: [Kind; 4] = [Kind::Added, Kind::Removed, Kind::Changed, Kind::Duplicate];

    /// Returns its name in the results.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Changed => "changed",
            Kind::Duplicate => "duplicate",
        }
    }
}

/// A difference.
pub struct Change {
    pub kind: Kind,
    pub key: Map<String, Value>,
    /// The columns that differ, for a changed row; empty if the old values are unknown.
    pub columns: Vec<String>,
    /// The values besides the key, if the table has the row and they are known.
    pub old: Option<Map<String, Value>>,
    pub new: Option<Map<String, Value>>,
    /// Numbers of rows with a duplicate key in each table.
    pub counts: Option<(i64, i64)>,
}

impl Change {
    /// Returns one line of JSON.
    pub fn json(&self) -> Value {
        let mut line = Map::new();
        line.insert("change".into(), json!(self.kind.name()));
        line.insert("key".into(), json!(self.key));
        if !self.columns.is_empty() {
            line.insert("columns".into(), json!(self.columns));
        }
        for (name, values) in [("old", &self.old), ("new", &self.new)] {
            if let Some(values) = values {
                line.insert(name.into(), json!(values));
            }
        }
        if let Some((old, new)) = self.counts {
            line.insert("old_count".into(), json!(old));
            line.insert("new_count".into(), json!(new));
        }
        Value::Object(line)
    }
}

impl Changes<'_> {
    /// Returns the number of differences of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        let rows = &self.found.rows;
        match kind {
            Kind::Added => rows.added.len(),
            Kind::Removed => rows.removed.len(),
            Kind::Changed => rows.changed.len(),
            Kind::Duplicate => rows.duplicates.len(),
        }
    }

    /// Returns the differences of a kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = Change> {
        (0..self.count(kind)).map(move |place| self.at(kind, place))
    }

    fn at(&self, kind: Kind, place: usize) -> Change {
        let (old, new) = (&self.found.old, &self.found.new);
        let rows = &self.found.rows;
        match kind {
            Kind::Added => self.of_side(kind, &self.new, new, rows.added[place]),
            Kind::Removed => self.of_side(kind, &self.old, old, rows.removed[place]),
            Kind::Duplicate => {
                let found = &rows.duplicates[place];
                let change = match found.is_old {
                    true => self.of_side(kind, &self.old, old, found.row),
                    false => self.of_side(kind, &self.new, new, found.row),
                };
                Change {
                    old: None,
                    new: None,
                    counts: Some((found.old_count, found.new_count)),
                    ..change
                }
            }
            Kind::Changed => {
                let (old_row, new_row) = rows.changed[place];
                if let Side::Rows(_) = self.new {
                    return self.of_side(kind, &self.new, new, new_row);
                }
                if let Side::Rows(_) = self.old {
                    return Change {
                        old: None,
                        new: Some(self.values(new, new_row, self.found.compared)),
                        ..self.of_row(kind, new, new_row)
                    };
                }
                let mut change = self.of_row(kind, old, old_row);
                change.old = Some(self.values(old, old_row, self.found.compared));
                change.new = Some(self.values(new, new_row, self.found.compared));
                let sides = [(old, old_row), (new, new_row)];
                let [old_cells, new_cells] = sides.map(|(buffered, row)| cells(buffered, row));
                for at in self.found.keys..self.found.keys + self.found.compared {
                    if old_cells[at].0 != new_cells[at].0 {
                        change.columns.push(old.names[at].clone());
                    }
                }
                change
            }
        }
    }

    fn of_side(&self, kind: Kind, side: &Side<'_>, buffered: &BufferedRows, row: i64) -> Change {
        match side {
            Side::Table(_) => self.of_row(kind, buffered, row),
            Side::Rows(rows) => Change {
                kind,
                key: Map::from_iter([(
                    KEY_DIGEST.into(),
                    json!(hex::encode(rows.key_digest(row))),
                )]),
                columns: Vec::new(),
                old: None,
                new: None,
                counts: None,
            },
        }
    }

    fn of_row(&self, kind: Kind, buffered: &BufferedRows, row: i64) -> Change {
        let names = buffered.names.iter().cloned();
        let key = names.zip(cells(buffered, row).into_iter().map(|(_, value)| value));
        let values = Some(self.values(buffered, row, buffered.names.len()));
        let (old, new) = match kind {
            Kind::Added => (None, values),
            _ => (values, None),
        };
        Change {
            kind,
            key: key.take(self.found.keys).collect(),
            columns: Vec::new(),
            old,
            new,
            counts: None,
        }
    }

    /// Returns the values of a row besides its key, for a number of columns.
    fn values(&self, buffered: &BufferedRows, row: i64, columns: usize) -> Map<String, Value> {
        let values = cells(buffered, row).into_iter().map(|(_, value)| value);
        let names = buffered.names.iter().cloned();
        names
            .zip(values)
            .skip(self.found.keys)
            .take(columns)
            .collect()
    }

    /// Returns the differences between the columns as a line of JSON; `None` if there are none.
    pub fn columns(&self) -> Option<Value> {
        let columns = &self.found.columns;
        let pairs = |list: &[(String, String)]| -> Map<String, Value> {
            let pairs = list.iter();
            pairs
                .map(|(name, kind)| (name.clone(), json!(kind)))
                .collect()
        };
        let retyped = columns.retyped.iter();
        let retyped: Map<String, Value> = retyped
            .map(|(name, old, new)| (name.clone(), json!([old, new])))
            .collect();
        let (added, dropped) = (pairs(&columns.added), pairs(&columns.dropped));
        let is_same = added.is_empty() && dropped.is_empty() && retyped.is_empty();
        (!is_same).then(
            || json!({"change": "columns", "added": added, "dropped": dropped, "retyped": retyped}),
        )
    }

    /// Returns the counts.
    pub fn totals(&self) -> Value {
        json!({
            "equal": self.found.is_equal(),
            "added": self.count(Kind::Added),
            "removed": self.count(Kind::Removed),
            "changed": self.count(Kind::Changed),
            "duplicates": self.count(Kind::Duplicate),
            "old_rows": self.old.rows(),
            "new_rows": self.new.rows(),
        })
    }
}

/// Returns the values of a row, each with its encoding.
fn cells(buffered: &BufferedRows, row: i64) -> Vec<(&[u8], Value)> {
    let mut values = Values(buffered.row(row));
    let names = buffered.names.iter();
    names.map(|_| values.next_with_bytes()).collect()
}
