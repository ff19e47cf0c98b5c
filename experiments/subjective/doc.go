// Package subjective answers: what does bidirectional Monte Carlo report if its reverse chains do not start from the
// target? It gives the subjective divergence of annealings for each reference law from which reverse chains start. It never prints, draws or reads flags.
//
// If reverse chains start from the target the value is B. From any other law it bounds nothing, and may be negative: on
// BARRIER at T = 10^4 a uniform reference gives -0.421 where J is 0.542, and still -0.276 after 10^5 moves under the
// target. It is a bound again from 1,792,671 moves on, which --moves 2e6 finds in some milliseconds.
//
// The reference fitted:AXIS=VALUE is that of reverse chains for simulated data: where the data were made from a fitted value of a
// hyperparameter, they start from the posterior given that value, moved under the target (Grosse, Ancha and Roy 2016, sections 3.2 and
// 5.1.2). On the target hyper with T = 10 the value is 0.692 from the variance 0.25 and 0.555 from the variance 4, where B is 0.624;
// after ten scans both are within 2.7e-5 of it.
//
//	breadboard subjective --toy barrier -T 1e4 --reference uniform --moves 0,1e4,1e5
package subjective
