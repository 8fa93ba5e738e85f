// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the man pages: clap's information about a command, and the sections that readers expect.

use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use chrono::DateTime;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

/// The date of the pages without `SOURCE_DATE_EPOCH`: the release's.
const RELEASED: &str = "2026-11-23";

/// Longer lines of source are broken, as mandoc(1) requires.
const LINE_COLUMNS: usize = 70;

/// A line that replaces a blank one until the page is written.
const PARAGRAPH: &str = "[paragraph]";

const ENVIRONMENT: [(&str, &str); 2] = [
    (
        "FINALIST_IMPL",
        "Implementations to use instead of the fastest: blake256=portable,groestl256=ttable64",
    ),
    ("FINALIST_CPU", "CPU features not to use: -avx512,-avx2"),
];

/// Writes the pages of a built command and of its subcommands.
pub fn write(command: &Command, directory: &Path) -> io::Result<()> {
    write_below(command, &names(command), directory, &date()?)
}

fn write_below(command: &Command, all: &[String], directory: &Path, date: &str) -> io::Result<()> {
    let page = page(command, all, date)?;
    fs::write(directory.join(format!("{}.1", name(command))), page)?;
    let mut below = command.get_subcommands();
    below.try_for_each(|inner| write_below(inner, all, directory, date))
}

fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or(command.get_name())
}

/// Returns the names of all pages.
fn names(command: &Command) -> Vec<String> {
    let below = command.get_subcommands().flat_map(names);
    std::iter::once(name(command).to_owned())
        .chain(below)
        .collect()
}

/// Returns the day of `SOURCE_DATE_EPOCH`, so that packages are reproducible, or of the release.
fn date() -> io::Result<String> {
    let Ok(seconds) = env::var("SOURCE_DATE_EPOCH") else {
        return Ok(RELEASED.to_owned());
    };
    let time = seconds.parse().ok();
    let time = time.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    let time = time.ok_or_else(|| {
        io::Error::new(ErrorKind::InvalidInput, "SOURCE_DATE_EPOCH holds no time")
    })?;
    Ok(time.date_naive().to_string())
}

fn page(command: &Command, all: &[String], date: &str) -> io::Result<Vec<u8>> {
    let version = env!("CARGO_PKG_VERSION");
    // clap_mangen omits the ends of paragraphs.
    let mut command = command.clone().mut_args(|argument| {
        match argument.get_long_help().map(ToString::to_string) {
            Some(help) => argument.long_help(help.replace("\n\n", &format!("\n{PARAGRAPH}\n"))),
            None => argument,
        }
    });
    // clap_mangen's synopsis lists the options without their values.
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let command = &command.override_usage(usage);
    let man = Man::new(command.clone())
        .title(name(command).to_uppercase())
        .date(date)
        .source(format!("finalist {version}"))
        .manual("Finalist");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let mut roff = Roff::new();
    exit_status(&mut roff, command);
    environment(&mut roff);
    examples(&mut roff, command);
    see_also(&mut roff, command, all);
    text.extend(roff.to_roff().into_bytes());
    Ok(broken(&String::from_utf8_lossy(&text)).into_bytes())
}

fn exit_status(roff: &mut Roff, command: &Command) {
    let text = match name(command) {
        "finalist-sum" => "0 if all files were hashed, 1 otherwise.",
        "finalist-check" => {
            "0 if every list has lines and all files that they name match, 1 otherwise."
        }
        "finalist-manifest-verify" | "finalist-manifest-diff" => {
            "0 if nothing differs, 1 if something does or could not be read, 2 if a file is corrupt."
        }
        "finalist-manifest-update" => {
            "0 if all files were read, 1 if some could not be, 2 if a file is corrupt."
        }
        "finalist-selftest" => "0 if every answer was right, 1 otherwise.",
        "finalist-table-diff" => "0 if the tables are equal, 1 if they differ, 2 after errors.",
        name if name.starts_with("finalist-table") => "0 on success, 2 after errors.",
        _ => "0 on success, 1 otherwise.",
    };
    roff.control("SH", ["EXIT STATUS"]).text([roman(text)]);
}

fn environment(roff: &mut Roff) {
    roff.control("SH", ["ENVIRONMENT"]);
    for (variable, text) in ENVIRONMENT {
        roff.control("TP", []);
        roff.text([bold(variable)]).text([roman(text)]);
    }
}

/// Writes the examples of the help unchanged, and the text after them.
fn examples(roff: &mut Roff, command: &Command) {
    let help = command.get_after_help().map(ToString::to_string);
    for part in help.iter().flat_map(|help| help.split("\n\n")) {
        if let Some(lines) = part.strip_prefix("Examples:\n") {
            roff.control("SH", ["EXAMPLES"]).control("nf", []);
            for line in lines.lines() {
                roff.text([roman(line.trim_start())]);
            }
            roff.control("fi", []);
        } else if !part.starts_with("Environment:") {
            roff.control("PP", []).text([roman(part)]);
        }
    }
}

fn see_also(roff: &mut Roff, command: &Command, all: &[String]) {
    let own = name(command);
    let depth = |name: &str| name.matches('-').count();
    // Parent, sibling and child pages.
    let parent = own.rsplit_once('-').map_or(own, |(parent, _)| parent);
    let others = all.iter().map(String::as_str).filter(|other| {
        let is_near = other.starts_with(parent) && depth(other) <= depth(own) + 1;
        *other != own && (is_near || *other == "finalist")
    });
    let foreign: &[&str] = match own {
        "finalist-sum" | "finalist-check" => &["b2sum", "cksum"],
        _ => &[],
    };
    let mut line = Vec::new();
    for other in foreign.iter().copied().chain(others) {
        let separator = if line.is_empty() { "" } else { ", " };
        line.extend([roman(separator), bold(other), roman("(1)")]);
    }
    roff.control("SH", ["SEE ALSO"]).text(line);
}

/// Returns the page with long lines of text broken at spaces.
fn broken(page: &str) -> String {
    let mut out = String::new();
    let mut is_filled = true;
    let mut before = "";
    for line in page
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
    {
        // Skip a repeated break.
        if line == ".br" && before == line {
            continue;
        }
        before = line;
        if line == PARAGRAPH {
            out.push_str(".IP\n");
            continue;
        }
        is_filled = match line {
            ".nf" => false,
            ".fi" => true,
            _ => is_filled,
        };
        let is_request = line.starts_with(['.', '\'']);
        let mut columns = 0;
        for word in line.split(' ') {
            // A word that would be read as a request must not start a line.
            let may_break = is_filled && !is_request && !word.starts_with(['.', '\'']);
            if columns != 0 && may_break && columns + 1 + word.len() > LINE_COLUMNS {
                out.push('\n');
                columns = 0;
            } else if columns != 0 {
                out.push(' ');
                columns += 1;
            }
            out.push_str(word);
            columns += word.len();
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{LINE_COLUMNS, broken};

    #[test]
    fn a_repeated_break_is_one() {
        let page = broken("text\ntext\n.br\n.br\ntext\n.br\ntext");
        assert_eq!(page, "text\ntext\n.br\ntext\n.br\ntext\n");
    }

    #[test]
    fn only_text_is_broken_and_never_before_what_looks_like_a_request() {
        let words = "word ".repeat(LINE_COLUMNS);
        let words = words.trim_end();
        for whole in [
            format!(".TH {words}"),
            format!("'TH {words}"),
            format!(".nf\n{words}\n.fi"),
        ] {
            assert_eq!(broken(&whole), format!("{whole}\n"));
        }
        let page = broken(&format!(".nf\nx\n.fi\n{words}"));
        let (_, text) = page.split_once(".fi\n").expect("it is kept");
        assert!(text.lines().count() > 4);
        assert!(text.lines().all(|line| line.len() <= LINE_COLUMNS));
        assert!(text.lines().all(|line| line.len() > LINE_COLUMNS - 5));
        assert_eq!(text.replace('\n', " ").trim_end(), words);
        let before = "w".repeat(LINE_COLUMNS);
        for request in [".word", "'word"] {
            let line = format!("{before} {request}");
            assert_eq!(broken(&line), format!("{line}\n"));
        }
        // The space before a word counts.
        for (word, separator) in [("or", ' '), ("and", '\n'), ("word", '\n')] {
            let before = "w".repeat(LINE_COLUMNS - 3);
            let page = broken(&format!("{before} {word}"));
            assert_eq!(page, format!("{before}{separator}{word}\n"));
        }
    }
}
