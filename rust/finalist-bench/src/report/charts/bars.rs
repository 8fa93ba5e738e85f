// SPDX-License-Identifier: MIT OR Apache-2.0
//! Horizontal bars: the cost of each implementation or algorithm.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::{
    Area, BOUND, CHOSEN, Drawn, FAINT, GRID, OPT_IN, Outcome, SERIES, TEXT, USUAL, Width, bold,
    draw, figure, plain, text_at,
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Usual,
    /// Selected by the library.
    Chosen,
    /// Not constant-time: selected only by name.
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
    /// Unreliable: drawn hollow.
    pub is_noisy: bool,
    pub bound: Option<f64>,
    pub kind: Kind,
}

/// Positions of the parts of a row.
struct Layout {
    /// Left end of the bars. In a narrow chart labels are above them.
    left: i32,
    row: i32,
    /// Height of the title, unit and legend.
    head: i32,
    /// Top of the bar within its row.
    bar: i32,
}

const VALUES: i32 = 60;
const BAR: i32 = 16;

impl Layout {
    fn of(width: Width) -> Layout {
        match width {
            Width::Wide => Layout {
                left: 210,
                row: 24,
                head: 56,
                bar: 4,
            },
            Width::Narrow => Layout {
                left: 1,
                row: 44,
                head: 102,
                bar: 22,
            },
        }
    }

    fn height(&self, count: usize) -> i32 {
        self.head + self.row * count as i32 + 10
    }
}

/// Draws horizontal bars, each with its quartiles and its bound.
pub fn bars(title: &str, unit: &str, bars: &[Bar]) -> Drawn {
    let height = |width| Layout::of(width).height(bars.len()) as u32;
    draw(height, |area, width| {
        let layout = Layout::of(width);
        area.draw(&Text::new(title.to_owned(), (0, 6), bold()))?;
        legend(area, unit, bars, width)?;
        let reach = |bar: &Bar| bar.value.max(bar.range.1).max(bar.bound.unwrap_or(0.0));
        let most = bars.iter().map(reach).fold(f64::MIN_POSITIVE, f64::max);
        let length = width.pixels() as i32 - layout.left - VALUES;
        let x = |value: f64| layout.left + (value / most * f64::from(length)).round() as i32;
        area.draw(&PathElement::new(
            [
                (layout.left, layout.head),
                (layout.left, layout.height(bars.len()) - 8),
            ],
            GRID.0.stroke_width(1),
        ))?;
        for (index, bar) in bars.iter().enumerate() {
            draw_bar(
                area,
                layout.head + layout.row * index as i32,
                bar,
                &layout,
                width,
                &x,
            )?;
        }
        Ok(())
    })
}

fn draw_bar(
    area: &Area<'_>,
    top: i32,
    bar: &Bar,
    layout: &Layout,
    width: Width,
    x: &dyn Fn(f64) -> i32,
) -> Outcome {
    let top_of_bar = top + layout.bar;
    let middle = top_of_bar + BAR / 2;
    let chosen = bar.kind == Kind::Chosen;
    let style = if chosen { bold() } else { plain(TEXT.0) };
    match width {
        Width::Wide => text_at(
            area,
            &bar.label,
            (layout.left - 10, middle),
            style,
            HPos::Right,
        )?,
        Width::Narrow => text_at(area, &bar.label, (0, top + 11), style, HPos::Left)?,
    }
    let ink = bar.kind.ink();
    let style = match bar.is_noisy {
        true => ink.stroke_width(2),
        false => ink.filled(),
    };
    let corners = [(layout.left, top_of_bar), (x(bar.value), top_of_bar + BAR)];
    area.draw(&Rectangle::new(corners, style))?;
    let (low, high) = (x(bar.range.0), x(bar.range.1));
    if bar.is_noisy || high - low > 3 {
        let whisker = [(low, middle), (high, middle)];
        area.draw(&PathElement::new(whisker, TEXT.0.stroke_width(1)))?;
    }
    if let Some(bound) = bar.bound {
        let mark = [(x(bound), top_of_bar - 3), (x(bound), top_of_bar + BAR + 3)];
        area.draw(&PathElement::new(mark, BOUND.0.stroke_width(2)))?;
    }
    let end = x(bar.value).max(high).max(bar.bound.map_or(0, x));
    let mark = if bar.is_noisy { "~" } else { "" };
    let value = format!("{mark}{}", figure(bar.value));
    text_at(area, &value, (end + 7, middle), plain(TEXT.0), HPos::Left)
}

/// Draws the legend of the colours that occur.
fn legend(area: &Area<'_>, unit: &str, bars: &[Bar], width: Width) -> Outcome {
    let layout = Layout::of(width);
    let (mut x, mut y) = match width {
        Width::Wide => (layout.left, layout.head - 20),
        Width::Narrow => (0, layout.head - 44),
    };
    let unit_y = if width == Width::Wide { y } else { y - 24 };
    text_at(area, unit, (0, unit_y), plain(FAINT.0), HPos::Left)?;
    let has = |kind: Kind| bars.iter().any(|bar| bar.kind == kind);
    let of = |kind: Kind, text| (has(kind), kind.ink(), text);
    // A single colour needs no legend.
    let has_chosen = has(Kind::Chosen) || has(Kind::OptIn);
    let entries = [
        of(Kind::OneMessage, "one message"),
        of(Kind::ManyMessages, "many messages"),
        of(Kind::Chosen, "selected"),
        (has(Kind::Usual) && has_chosen, Kind::Usual.ink(), "other"),
        of(Kind::OptIn, "† not constant-time"),
        (bars.iter().any(|bar| bar.bound.is_some()), BOUND.0, "bound"),
    ];
    for (_, ink, text) in entries.into_iter().filter(|entry| entry.0) {
        let length = 30 + 8 * text.chars().count() as i32;
        if x + length > width.pixels() as i32 {
            (x, y) = (0, y + 24);
        }
        let half = if ink == BOUND.0 { 1 } else { 6 };
        area.draw(&Rectangle::new(
            [(x + 6 - half, y - 6), (x + 6 + half, y + 6)],
            ink.filled(),
        ))?;
        text_at(area, text, (x + 18, y), plain(FAINT.0), HPos::Left)?;
        x += length + 20;
    }
    Ok(())
}
