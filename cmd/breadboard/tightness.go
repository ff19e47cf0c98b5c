package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"breadboard/exact/certified"
	"breadboard/experiments"
	"breadboard/experiments/tightness"
	"breadboard/reports"
)

// paperT is the number of distributions of the paper's Figure 4. Where it is not among those asked for, the
// figure shows the first of them.
const paperT = 100

// maxCells is the number of states of a toy above which Figure 4 would be a file of many megabytes.
const maxCells = 10_000

func (a *app) tightnessCommand() *cobra.Command {
	var selection experiments.Selection
	var options tightness.Options
	var certify bool
	c := &cobra.Command{
		Use:   "tightness",
		Short: "How tight is the bound? Exact J beside exact B",
		Long: `tightness computes, exactly, the Jeffreys divergence J between the output of annealed importance sampling
and its target, and the expectation B of the bound on it that bidirectional Monte Carlo reports. Without
flags it makes the study of Grosse, Ancha and Roy 2016, Appendix B, and sets the printed numbers beside ours.

With --out it also draws Figure 3 (J and B against T) and Figure 4 (the targets, distributions on the way at
beta = 0.1, 0.25 and 0.5, and the sampler's output at T = 100, or the first T where 100 is not among them).

With --certify J, B and both divergences are computed again in floating point of 256 bits, with a bound on the
error that is derived in package exact/certified, and of 320 bits, which must overlap. The table then says how
many decimal digits of each are right, and --out also gets certificates, with up to 60 digits of each. It takes
the geometric path from uniform, the kernels metropolis and barker, the schedules linear, sigmoid, power and
file, and targets without zeros.`,
		Example: `  breadboard tightness
  breadboard tightness -T 100,1000 --format json
  breadboard tightness --toy file:target.csv -T 50 --kernel barker
  breadboard tightness --schedule sigmoid:4 --out results --format csv
  breadboard tightness -T 1000 --check
  breadboard tightness -T 1000 --certify`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.tightness(c.Context(), selection, options, certify)
		},
	}
	addSelection(c, &selection, experiments.PaperDistributions())
	c.Flags().IntVar(&options.Workers, "workers", 0, "annealings solved at once; 0 is one for each core")
	c.Flags().BoolVar(&options.Check, "check", false, "compute everything again by independent routes; exit code 1 where they differ")
	c.Flags().BoolVar(&certify, "certify", false, "compute J, B and both divergences again in 256 bits, and say how many digits are right; exit code 1 where they are fewer than 12")
	return c
}

func (a *app) tightness(ctx context.Context, selection experiments.Selection, options tightness.Options, certify bool) error {
	if options.Workers < 0 {
		return badInput(fmt.Errorf("--workers %d; give a number of annealings, or 0 for one on each core", options.Workers))
	}
	cases, err := a.cases(ctx, selection, func(c []experiments.Case) error {
		if certify {
			return tightness.Certifiable(c)
		}
		return nil
	})
	if err != nil {
		return err
	}
	steps := options.Steps(cases)
	add, done := a.progress("solving", steps)
	options.Progress = add
	rows, err := tightness.Run(ctx, cases, options)
	done()
	if err != nil {
		return studyFailure(err)
	}
	if certify {
		if err := a.certify(ctx, cases, rows, options.Workers); err != nil {
			return err
		}
	}
	if err := a.table("tightness", reports.Tightness(rows)); err != nil {
		return err
	}
	if a.output.files != nil {
		if err := a.tightnessFigures(rows); err != nil {
			return err
		}
	}
	for _, n := range reports.TightnessNotes(rows) {
		a.note("%s", n)
	}
	if options.Check {
		if err := a.tightnessCheck(rows); err != nil {
			return err
		}
	}
	if certify {
		return a.certificates(rows)
	}
	return nil
}

// certify sets the certificates of all rows.
func (a *app) certify(ctx context.Context, cases []experiments.Case, rows []tightness.Row, workers int) error {
	steps := tightness.CertifySteps(cases)
	add, done := a.progress("certifying", steps)
	defer done()
	return studyFailure(tightness.Certify(ctx, rows, workers, add))
}

// certificates writes the digits of every number to --out, and fails where one has fewer than promised.
func (a *app) certificates(rows []tightness.Row) error {
	var text bytes.Buffer
	if err := reports.Certificates(rows).Write(&text, a.output.format.Format); err != nil {
		return err
	}
	if err := a.file("certificates"+a.output.format.Extension(), text.Bytes()); err != nil {
		return err
	}
	least := math.Inf(1)
	for i := range rows {
		c, _ := rows[i].Worst()
		if c.Digits < tightness.PromisedDigits {
			return fault(fmt.Errorf("%s: %s = %v has %.1f right digits of the promised %d; it is %s", &rows[i].Case, c.Quantity, c.Double, c.Digits, tightness.PromisedDigits, c.Value.Number.Text('g', 25)))
		}
		least = min(least, c.Digits)
	}
	a.note("J, B and both divergences have at least %d right digits each, certified in %d bits", int(least), certified.Bits)
	return nil
}

// tightnessFigures draws what can be drawn of the rows, and says what cannot.
func (a *app) tightnessFigures(rows []tightness.Row) error {
	for i, draw := range []func([]tightness.Row) (*reports.Figure, error){reports.Figure3, figure4} {
		f, err := draw(rows)
		if err != nil {
			a.noFigure(fmt.Sprintf("figure %d", 3+i), fmt.Sprintf("figure%d", 3+i), err)
			continue
		}
		if err := a.figure(f); err != nil {
			return err
		}
	}
	return nil
}

// figure4 draws one row of each toy: that at paperT, or at the first T where that is not among them.
func figure4(rows []tightness.Row) (*reports.Figure, error) {
	T := rows[0].T
	for _, r := range rows {
		if r.T == paperT {
			T = paperT
		}
	}
	var shown []tightness.Row
	for _, r := range rows {
		if n := r.Toy.Space.States(); n > maxCells {
			return nil, fmt.Errorf("a heat map of %d cells would be too large; the limit is %d", n, maxCells)
		}
		if r.T == T && (len(shown) == 0 || shown[len(shown)-1].Toy != r.Toy) {
			shown = append(shown, r)
		}
	}
	return reports.Figure4(tightness.Intermediate(shown, tightness.PaperBetas()))
}

func (a *app) tightnessCheck(rows []tightness.Row) error {
	checks, ok := reports.Checks(rows)
	var text bytes.Buffer
	if err := checks.Write(&text, a.output.format.Format); err != nil {
		return err
	}
	if err := a.file("checks"+a.output.format.Extension(), text.Bytes()); err != nil {
		return err
	}
	if !ok {
		if err := checks.Write(a.stderr, reports.Text); err != nil {
			return ioFailure(err)
		}
		return fault(errors.New("an identity does not hold; see the table above"))
	}
	for i := range rows {
		for _, p := range rows[i].Printed {
			if !p.Rounds {
				return fault(fmt.Errorf("%s: %s is %v, printed %s", &rows[i].Case, p.Quantity, p.Ours, p.Text))
			}
		}
	}
	a.note("all %d identities hold", len(checks.Rows))
	return nil
}
