package tightness

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/exact/certified"
	"breadboard/experiments/subject"
)

// PromisedDigits is the number of correct digits that J, B and both divergences must have.
const PromisedDigits = 12

// Certificate compares an answer in float64 with a computation in many digits.
type Certificate struct {
	Quantity string // J, B, kl_q_p or kl_p_q
	Double   float64
	Value    certified.Value
	Digits   float64 // the number of correct digits of Double, from 0 to certified.MaxDigits
}

// Certifiable returns an error that names a case that cannot be certified, with the reason.
func Certifiable(cases []subject.Case) error {
	for _, c := range cases {
		if err := certified.Supported(c.Annealing()); err != nil {
			return c.Wrong(err)
		}
	}
	return nil
}

// CertifySteps returns the number of steps that Certify reports to progress.
func CertifySteps(cases []subject.Case) int {
	total := 0
	for _, c := range cases {
		total += 2 * (c.Distributions() - 1)
	}
	return total
}

// Certify computes J, B and both divergences of every row again, in 256 and in 320 bits, and sets
// the row's certificates. It fails if the two do not overlap within their bounds. Progress may be
// nil; it is called from several goroutines at once.
func Certify(ctx context.Context, rows []Row, workers int, progress func(steps int)) error {
	if progress == nil {
		progress = func(int) {}
	}
	precisions := []uint{certified.Bits, certified.CheckBits}
	solutions := make([][2]*certified.Solution, len(rows))
	type job struct{ row, precision int }
	var jobs []job
	for i := range rows {
		jobs = append(jobs, job{i, 0}, job{i, 1})
	}
	slices.SortStableFunc(jobs, func(a, b job) int { return cmp.Compare(rows[b.row].Work(), rows[a.row].Work()) })
	err := subject.Parallel(ctx, len(jobs), workers, func(ctx context.Context, i int) (err error) {
		row := jobs[i].row
		precision := jobs[i].precision
		c := &rows[row].Case
		solutions[row][precision], err = certified.Solve(ctx, c.Annealing(), precisions[precision], progress)
		return c.Wrong(err)
	})
	if err != nil {
		return err
	}
	for i := range rows {
		if err := rows[i].certify(solutions[i][0], solutions[i][1]); err != nil {
			return rows[i].Case.Wrong(err)
		}
	}
	return nil
}

func (r *Row) certify(s, check *certified.Solution) error {
	r.Certificates = nil
	names := certifiedQuantities()
	for i, q := range [...]struct {
		double       float64
		value, again certified.Value
	}{{r.J, s.J, check.J}, {r.B, s.B, check.B}, {r.KLQP, s.KLQP, check.KLQP}, {r.KLPQ, s.KLPQ, check.KLPQ}} {
		name := names[i]
		if !q.value.Overlaps(q.again) {
			return chains.NewFault(fmt.Errorf(
				"%s is %s in %d bits and %s in %d: they differ by more than their error bounds %.2g and %.2g",
				name,
				q.value.Text(),
				s.Bits,
				q.again.Text(),
				check.Bits,
				q.value.Error,
				q.again.Error,
			))
		}
		r.Certificates = append(r.Certificates, Certificate{name, q.double, q.value, q.value.Digits(q.double)})
	}
	return nil
}

// certifiedQuantities returns the names of the certified quantities, in the order of
// Row.Certificates.
func certifiedQuantities() [4]string { return [4]string{"J", "B", "kl_q_p", "kl_p_q"} }

// Worst returns the certificate with the fewest digits, and false if there is none.
func (r *Row) Worst() (Certificate, bool) {
	if len(r.Certificates) == 0 {
		return Certificate{}, false
	}
	return slices.MinFunc(r.Certificates, func(a, b Certificate) int { return cmp.Compare(a.Digits, b.Digits) }), true
}
