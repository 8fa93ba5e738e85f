// SPDX-License-Identifier: MIT OR Apache-2.0

/// The median and quartiles of samples.
pub struct Quartiles {
    /// The first quartile, or the first decile of slow calls.
    pub q1: f64,
    /// The median, or the second decile of slow calls.
    pub figure: f64,
    /// The third quartile, or the third decile of slow calls.
    pub q3: f64,
}

impl Quartiles {
    pub fn of(values: Vec<f64>) -> Quartiles {
        let at = parts(values);
        Quartiles {
            q1: at(0.25),
            figure: at(0.5),
            q3: at(0.75),
        }
    }

    /// Summarises calls so long that most of them are interrupted on a busy machine, which makes
    /// them longer: the figure is their second decile, and its interval goes from the first to the
    /// third. Not the minimum: if the core's clock rises during a call, the chains of additions
    /// before and after it give too few cycles.
    pub fn of_slow(values: Vec<f64>) -> Quartiles {
        let at = parts(values);
        Quartiles {
            q1: at(0.1),
            figure: at(0.2),
            q3: at(0.3),
        }
    }
}

/// Returns a function for quantiles, which interpolates between the two nearest values.
fn parts(mut values: Vec<f64>) -> impl Fn(f64) -> f64 {
    values.sort_by(f64::total_cmp);
    move |part| {
        let place = part * (values.len() - 1) as f64;
        let (low, high) = (place.floor() as usize, place.ceil() as usize);
        values[low] + (values[high] - values[low]) * place.fract()
    }
}

#[cfg(test)]
mod tests {
    use super::Quartiles;

    #[test]
    fn quartiles_lie_between_values() {
        let quartiles = Quartiles::of(vec![5.0, 1.0, 3.0, 2.0, 4.0]);
        assert_eq!(
            (quartiles.q1, quartiles.figure, quartiles.q3),
            (2.0, 3.0, 4.0)
        );
        let quartiles = Quartiles::of(vec![2.0, 1.0]);
        assert_eq!(
            (quartiles.q1, quartiles.figure, quartiles.q3),
            (1.25, 1.5, 1.75)
        );
    }

    #[test]
    fn one_slow_call_that_seems_too_short_does_not_change_the_figure() {
        let mut calls = vec![1.0, 1.5, 1.5, 1.5, 3.0, 3.0, 3.0, 3.0];
        let right = Quartiles::of_slow(calls.clone()).figure;
        calls[0] = 0.1;
        assert_eq!((right, Quartiles::of_slow(calls).figure), (1.5, 1.5));
    }
}
