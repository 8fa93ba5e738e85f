// SPDX-License-Identifier: MIT OR Apache-2.0
//! Medians, quartiles and confidence intervals of medians.

use crate::quartiles::Quartiles;

const RESAMPLES: usize = 400;
/// The share of resampled medians that lie in the interval.
const CONFIDENCE: f64 = 0.95;
/// Fixed, so that the same samples give the same interval.
const SEED: u64 = 1;

/// A summary of samples in five numbers.
pub struct Estimate {
    /// The median, or the second decile of slow calls.
    pub figure: f64,
    pub q1: f64,
    pub q3: f64,
    /// The bootstrap interval of the median; for slow calls from the first decile to the third.
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// Summarises at least one sample.
    pub fn of(samples: &[f64]) -> Estimate {
        let quartiles = Quartiles::of(samples.to_vec());
        let (low, high) = interval(samples);
        Estimate {
            figure: quartiles.figure,
            q1: quartiles.q1,
            q3: quartiles.q3,
            low,
            high,
        }
    }

    /// Summarises at least one sample of calls so long that they are interrupted.
    pub fn of_slow(samples: &[f64]) -> Estimate {
        let Quartiles { q1, figure, q3 } = Quartiles::of_slow(samples.to_vec());
        Estimate {
            figure,
            q1,
            q3,
            low: q1,
            high: q3,
        }
    }
}

pub fn median(samples: &[f64]) -> f64 {
    Quartiles::of(samples.to_vec()).figure
}

/// Returns the percentile bootstrap of the median: medians of equally many samples with
/// replacement.
fn interval(samples: &[f64]) -> (f64, f64) {
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut drawn = vec![0.0; samples.len()];
    let mut medians: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            drawn.fill_with(|| samples[random.usize(..samples.len())]);
            middle(&mut drawn)
        })
        .collect();
    medians.sort_by(f64::total_cmp);
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let at = |part: f64| medians[(part * (RESAMPLES - 1) as f64).round() as usize];
    (at(tail), at(1.0 - tail))
}

/// Returns the upper of the middle values; reorders the values.
fn middle(values: &mut [f64]) -> f64 {
    let half = values.len() / 2;
    *values.select_nth_unstable_by(half, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    use super::Estimate;

    /// Another program that takes the core most of the time must not change the figure.
    #[test]
    fn slow_calls_on_a_busy_machine_have_the_figure_of_a_quiet_one() {
        let busy: Vec<_> = (0..20)
            .map(|i| if i % 3 == 0 { 1.0 } else { 4.0 })
            .collect();
        let estimate = Estimate::of_slow(&busy);
        assert_eq!(
            (estimate.low, estimate.figure, estimate.high),
            (1.0, 1.0, 1.0)
        );
        assert_eq!(Estimate::of(&busy).figure, 4.0);
        let apart: Vec<_> = (0..21).map(f64::from).collect();
        let estimate = Estimate::of_slow(&apart);
        assert!(estimate.low < estimate.figure && estimate.figure < estimate.high);
        assert_eq!((estimate.low, estimate.high), (estimate.q1, estimate.q3));
    }

    #[test]
    fn the_interval_holds_the_median_and_narrows_with_more_samples() {
        let samples = |count: usize| (0..count).map(|i| (i % 10) as f64).collect::<Vec<_>>();
        let few = Estimate::of(&samples(20));
        let many = Estimate::of(&samples(2000));
        for estimate in [&few, &many] {
            assert!(estimate.low <= estimate.figure && estimate.figure <= estimate.high);
        }
        assert!(many.high - many.low < few.high - few.low);
        let one = Estimate::of(&[3.0]);
        assert_eq!((one.low, one.figure, one.high), (3.0, 3.0, 3.0));
    }
}
