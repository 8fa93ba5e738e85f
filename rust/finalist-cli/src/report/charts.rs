// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts as SVG, drawn by plotters: it is maintained, writes SVG without fonts or a browser, and
//! has logarithmic axes.
//!
//! Colours are attributes in the SVG, so that a style sheet can replace them by those of a dark page.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub type Drawn = Result<String, Box<dyn std::error::Error>>;

pub const WIDTH: u32 = 800;
const FONT: &str = "system-ui, DejaVu Sans, sans-serif";

/// A colour on white and the one that stands for it on black.
struct Ink(RGBColor, &'static str);

const TEXT: Ink = Ink(RGBColor(0x1b, 0x24, 0x30), "#E6EAF0");
const FAINT: Ink = Ink(RGBColor(0x56, 0x60, 0x6d), "#A2ADBA");
const GRID: Ink = Ink(RGBColor(0xd5, 0xda, 0xe1), "#333B46");
const USUAL: Ink = Ink(RGBColor(0x9d, 0xb2, 0xcc), "#56708F");
const CHOSEN: Ink = Ink(RGBColor(0x1f, 0x6f, 0xd6), "#5AA2F5");
const OPT_IN: Ink = Ink(RGBColor(0xd9, 0x8e, 0x2b), "#D9A04E");
const BOUND: Ink = Ink(RGBColor(0xc2, 0x35, 0x2b), "#F0766C");
/// Of series of lines; told apart by people who do not see red and green apart, too.
const SERIES: [Ink; 8] = [
    Ink(RGBColor(0x00, 0x72, 0xb2), "#4DA9E0"),
    Ink(RGBColor(0xb8, 0x4a, 0x00), "#F08A4B"),
    Ink(RGBColor(0x00, 0x7a, 0x5a), "#3FBF9A"),
    Ink(RGBColor(0x9b, 0x3f, 0x7d), "#DB8CC0"),
    Ink(RGBColor(0x7a, 0x6a, 0x00), "#D6C65A"),
    Ink(RGBColor(0x3d, 0x4f, 0x63), "#B7C3D0"),
    Ink(RGBColor(0x50, 0x3b, 0xb0), "#A99BF2"),
    Ink(RGBColor(0x8a, 0x1c, 0x2f), "#E87D8F"),
];

/// Rules that replace the colours on a dark screen. `scope` goes before each selector.
pub fn dark_style(scope: &str) -> String {
    let all = [&TEXT, &FAINT, &GRID, &USUAL, &CHOSEN, &OPT_IN, &BOUND];
    let rules: String = all
        .into_iter()
        .chain(&SERIES)
        .map(|Ink(RGBColor(r, g, b), dark)| {
            let light = format!("#{r:02X}{g:02X}{b:02X}");
            format!(
                "{scope}[fill=\"{light}\"]{{fill:{dark}}}{scope}[stroke=\"{light}\"]{{stroke:{dark}}}"
            )
        })
        .collect();
    format!("@media screen and (prefers-color-scheme:dark){{{rules}}}")
}

/// An SVG as a file of its own, dark on a dark screen.
pub fn standalone(svg: &str) -> String {
    let style = format!("<style>{}</style>", dark_style(""));
    match svg.split_once('>') {
        Some((tag, rest)) => format!("{tag}>{style}{rest}"),
        None => svg.to_owned(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Usual,
    /// Selected by the library.
    Chosen,
    /// Not constant-time: only by name.
    OptIn,
    /// In an overview of algorithms.
    OneMessage,
    ManyMessages,
}

impl Kind {
    fn ink(self) -> RGBColor {
        match self {
            Kind::Usual => USUAL.0,
            Kind::Chosen | Kind::OneMessage => CHOSEN.0,
            Kind::OptIn => OPT_IN.0,
            Kind::ManyMessages => SERIES[2].0,
        }
    }
}

pub struct Bar {
    pub label: String,
    pub value: f64,
    /// The quartiles.
    pub range: (f64, f64),
    pub bound: Option<f64>,
    pub kind: Kind,
}

const BAR_ROW: i32 = 24;
const LABELS: i32 = 210;
const VALUES: i32 = 60;
const HEAD: i32 = 56;

/// Horizontal bars, each with its quartiles and its bound.
pub fn bars(title: &str, unit: &str, bars: &[Bar]) -> Drawn {
    let height = HEAD + BAR_ROW * bars.len() as i32 + 10;
    draw(height as u32, |area| {
        area.draw(&Text::new(title.to_owned(), (0, 6), bold()))?;
        legend(area, unit, bars)?;
        let reach = |bar: &Bar| bar.value.max(bar.range.1).max(bar.bound.unwrap_or(0.0));
        let most = bars.iter().map(reach).fold(f64::MIN_POSITIVE, f64::max);
        let width = WIDTH as i32 - LABELS - VALUES;
        let x = |value: f64| LABELS + (value / most * f64::from(width)).round() as i32;
        area.draw(&PathElement::new(
            [(LABELS, HEAD), (LABELS, height - 8)],
            GRID.0.stroke_width(1),
        ))?;
        for (index, bar) in bars.iter().enumerate() {
            draw_bar(area, HEAD + BAR_ROW * index as i32, bar, &x)?;
        }
        Ok(())
    })
}

fn draw_bar(
    area: &Area<'_>,
    top: i32,
    bar: &Bar,
    x: &dyn Fn(f64) -> i32,
) -> Result<(), Box<dyn std::error::Error>> {
    let middle = top + BAR_ROW / 2;
    let chosen = bar.kind == Kind::Chosen;
    let style = if chosen { bold() } else { plain(TEXT.0) };
    area.draw(&Text::new(
        bar.label.clone(),
        (LABELS - 10, middle),
        style.pos(Pos::new(HPos::Right, VPos::Center)),
    ))?;
    area.draw(&Rectangle::new(
        [(LABELS, top + 4), (x(bar.value), top + BAR_ROW - 4)],
        bar.kind.ink().filled(),
    ))?;
    let (low, high) = (x(bar.range.0), x(bar.range.1));
    if high - low > 3 {
        let whisker = [(low, middle), (high, middle)];
        area.draw(&PathElement::new(whisker, TEXT.0.stroke_width(1)))?;
    }
    if let Some(bound) = bar.bound {
        let mark = [(x(bound), top + 1), (x(bound), top + BAR_ROW - 1)];
        area.draw(&PathElement::new(mark, BOUND.0.stroke_width(2)))?;
    }
    let end = x(bar.value).max(high).max(bar.bound.map_or(0, x));
    area.draw(&Text::new(
        figure(bar.value),
        (end + 7, middle),
        plain(TEXT.0).pos(Pos::new(HPos::Left, VPos::Center)),
    ))?;
    Ok(())
}

/// What the colours mean, as far as they occur.
fn legend(area: &Area<'_>, unit: &str, bars: &[Bar]) -> Result<(), Box<dyn std::error::Error>> {
    let y = HEAD - 20;
    area.draw(&Text::new(
        unit.to_owned(),
        (0, y),
        plain(FAINT.0).pos(Pos::new(HPos::Left, VPos::Center)),
    ))?;
    let has = |kind: Kind| bars.iter().any(|bar| bar.kind == kind);
    let of = |kind: Kind, text| (has(kind), kind.ink(), text);
    let entries = [
        of(Kind::OneMessage, "one message"),
        of(Kind::ManyMessages, "many messages"),
        of(Kind::Chosen, "selected"),
        of(Kind::Usual, "other"),
        of(Kind::OptIn, "† not constant-time"),
        (bars.iter().any(|bar| bar.bound.is_some()), BOUND.0, "bound"),
    ];
    let mut x = LABELS;
    for (_, ink, text) in entries.into_iter().filter(|entry| entry.0) {
        let half = if ink == BOUND.0 { 1 } else { 6 };
        area.draw(&Rectangle::new(
            [(x + 6 - half, y - 6), (x + 6 + half, y + 6)],
            ink.filled(),
        ))?;
        area.draw(&Text::new(
            text,
            (x + 18, y),
            plain(FAINT.0).pos(Pos::new(HPos::Left, VPos::Center)),
        ))?;
        x += 50 + 8 * text.chars().count() as i32;
    }
    Ok(())
}

pub struct Series {
    pub label: String,
    pub points: Vec<(f64, f64)>,
}

/// Lines over two logarithmic axes.
pub struct Lines {
    pub title: String,
    pub x: &'static str,
    /// Where the x axis has numbers.
    pub ticks: Vec<f64>,
    pub series: Vec<Series>,
}

const PANEL: u32 = 250;
/// Below a panel, for its numbers.
const AXIS: u32 = 34;

/// Panels of lines, `columns` side by side.
pub fn panels(title: &str, unit: &str, panels: &[Lines], columns: usize) -> Drawn {
    let rows = panels.len().div_ceil(columns);
    let panel = if columns == 1 { 420 } else { PANEL };
    let head = 36;
    draw(head + panel * rows as u32, |area| {
        area.draw(&Text::new(format!("{title}; {unit}"), (0, 6), bold()))?;
        let (_, below) = area.split_vertically(head as i32);
        for (part, lines) in below.split_evenly((rows, columns)).iter().zip(panels) {
            draw_lines(part, lines)?;
        }
        Ok(())
    })
}

fn draw_lines(area: &Area<'_>, lines: &Lines) -> Result<(), Box<dyn std::error::Error>> {
    let points = || lines.series.iter().flat_map(|series| &series.points);
    let (left, right) = bounds(points().map(|point| point.0));
    let (low, high) = bounds(points().map(|point| point.1));
    let (low, high) = (low / 1.3, high * 1.3);
    let x_range = (left..right)
        .log_scale()
        .with_key_points(lines.ticks.clone());
    let y_range = (low..high).log_scale().with_key_points(steps(low, high));
    let labels = 92;
    let mut builder = ChartBuilder::on(area);
    if !lines.title.is_empty() {
        let style = font(15).into_text_style(area).color(&TEXT.0);
        builder.caption(&lines.title, style);
    }
    let mut chart = builder
        .margin(8)
        .margin_right(labels + 8)
        .x_label_area_size(AXIS)
        .y_label_area_size(46)
        .build_cartesian_2d(x_range, y_range)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID.0)
        .axis_style(FAINT.0)
        .label_style(font(14).into_text_style(area).color(&FAINT.0))
        .x_desc(lines.x)
        .axis_desc_style(font(14).into_text_style(area).color(&FAINT.0))
        .x_label_formatter(&|value| amount(*value))
        .y_label_formatter(&|value| format!("{value}"))
        .draw()?;
    let mut ends = Vec::new();
    for (index, series) in lines.series.iter().enumerate() {
        let ink = SERIES[index % SERIES.len()].0;
        let style = ink.stroke_width(2);
        chart.draw_series(LineSeries::new(series.points.iter().copied(), style))?;
        let dots = series
            .points
            .iter()
            .map(|&point| Circle::new(point, 2, ink.filled()));
        chart.draw_series(dots)?;
        if let Some(&last) = series.points.last() {
            ends.push((chart.backend_coord(&last), &series.label, ink));
        }
    }
    label_ends(area, ends)
}

type End<'a> = ((i32, i32), &'a String, RGBColor);

/// Names lines at their right ends, moved apart where they would overlap.
fn label_ends(area: &Area<'_>, mut ends: Vec<End<'_>>) -> Result<(), Box<dyn std::error::Error>> {
    const GAP: i32 = 15;
    ends.sort_by_key(|end| end.0.1);
    let (left, top) = area.get_base_pixel();
    let mut places: Vec<i32> = Vec::new();
    for end in &ends {
        let free = places.last().map_or(i32::MIN, |last| last + GAP);
        places.push((end.0.1 - top).max(free));
    }
    // Labels below the axis would meet its numbers.
    let mut limit = area.dim_in_pixel().1 as i32 - AXIS as i32 - 16;
    for place in places.iter_mut().rev() {
        *place = (*place).min(limit);
        limit = *place - GAP;
    }
    for (((x, _), label, ink), y) in ends.into_iter().zip(places) {
        area.draw(&Text::new(
            label.clone(),
            (x - left + 8, y),
            plain(ink).pos(Pos::new(HPos::Left, VPos::Center)),
        ))?;
    }
    Ok(())
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::MAX, f64::MIN_POSITIVE), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// Round numbers between two limits: 1, 2, 5 of each power of ten, or fewer of a wide range.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let factors: &[f64] = match high / low {
        wide if wide > 60.0 => &[1.0, 3.0],
        _ => &[1.0, 2.0, 5.0],
    };
    (-3..6)
        .flat_map(|power| {
            factors
                .iter()
                .map(move |factor| factor * 10_f64.powi(power))
        })
        .filter(|step| (low..high).contains(step))
        .collect()
}

/// A whole number, in units of 1024 from there on.
fn amount(value: f64) -> String {
    let value = value.round() as u64;
    match value {
        0x10_0000.. => format!("{} Mi", value >> 20),
        1024.. => format!("{} Ki", value >> 10),
        _ => value.to_string(),
    }
}

/// Three digits that mean something.
pub fn figure(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        0.095.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn font(size: u32) -> FontDesc<'static> {
    (FONT, f64::from(size)).into_font()
}

fn plain(ink: RGBColor) -> TextStyle<'static> {
    let mut style = TextStyle::from(font(16));
    style.color = ink.to_backend_color();
    style
}

fn bold() -> TextStyle<'static> {
    let mut style = TextStyle::from(font(17).style(FontStyle::Bold));
    style.color = TEXT.0.to_backend_color();
    style
}

fn draw(
    height: u32,
    with: impl FnOnce(&Area<'_>) -> Result<(), Box<dyn std::error::Error>>,
) -> Drawn {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        with(&area)?;
        area.present()?;
    }
    Ok(svg)
}
