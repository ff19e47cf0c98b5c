package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/reports"
)

// paperT is the number of distributions of the paper's Figure 4. Where it is not among those asked for, the
// figure shows the first of them.
const paperT = 100

// maxCells is the number of states of a toy above which Figure 4 would be a file of many megabytes.
const maxCells = 10_000

func (a *app) tightnessCommand() *cobra.Command {
	var selection experiments.Selection
	var options experiments.TightnessOptions
	c := &cobra.Command{
		Use:   "tightness",
		Short: "How tight is the bound? Exact J beside exact B",
		Long: `tightness computes, exactly, the Jeffreys divergence J between the output of annealed importance sampling
and its target, and the expectation B of the bound on it that bidirectional Monte Carlo reports. Without
flags it makes the study of Grosse, Ancha and Roy 2016, Appendix B, and sets the printed numbers beside ours.

With --out it also draws Figure 3 (J and B against T) and Figure 4 (the targets, distributions on the way at
beta = 0.1, 0.25 and 0.5, and the sampler's output at T = 100, or the first T where 100 is not among them).`,
		Example: `  breadboard tightness
  breadboard tightness -T 100,1000 --format json
  breadboard tightness --toy file:target.csv -T 50 --kernel barker
  breadboard tightness --schedule sigmoid:4 --out results --format csv
  breadboard tightness -T 1000 --check`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.tightness(c.Context(), selection, options)
		},
	}
	addSelection(c, &selection, experiments.PaperDistributions())
	c.Flags().IntVar(&options.Workers, "workers", 0, "annealings solved at once; 0 is one for each core")
	c.Flags().BoolVar(&options.Check, "check", false, "compute everything again by independent routes; exit code 1 where they differ")
	return c
}

func (a *app) tightness(ctx context.Context, selection experiments.Selection, options experiments.TightnessOptions) error {
	if options.Workers < 0 {
		return badInput(fmt.Errorf("--workers %d; give a number of annealings, or 0 for one on each core", options.Workers))
	}
	selection.Programs = a.programs
	cases, err := selection.Cases()
	if err != nil {
		return badInput(err)
	}
	if err := a.output.open(); err != nil {
		return err
	}
	steps := options.Steps(cases)
	add, done := a.progress("solving", steps, steps*largest(cases))
	options.Progress = add
	rows, err := experiments.Tightness(ctx, cases, options)
	done()
	if err != nil {
		return fault(err)
	}
	if err := a.table("tightness", reports.Tightness(rows)); err != nil {
		return err
	}
	if a.output.files != nil {
		if err := a.tightnessFigures(ctx, selection, rows); err != nil {
			return err
		}
	}
	for _, n := range reports.TightnessNotes(rows) {
		a.note("%s", n)
	}
	if options.Check {
		return a.tightnessCheck(rows)
	}
	return nil
}

func largest(cases []experiments.Case) int {
	n := 0
	for _, c := range cases {
		n = max(n, c.Toy.Space.States())
	}
	return n
}

// tightnessFigures draws what can be drawn of the rows, and says what cannot.
func (a *app) tightnessFigures(ctx context.Context, selection experiments.Selection, rows []experiments.TightnessRow) error {
	figures := []func() (*reports.Figure, error){
		func() (*reports.Figure, error) { return reports.Figure3(rows) },
		func() (*reports.Figure, error) { return figure4(ctx, selection, rows) },
	}
	for i, make := range figures {
		f, err := make()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.note("no figure %d: %v", 3+i, err)
			continue
		}
		if err := a.figure(f); err != nil {
			return err
		}
	}
	return nil
}

func figure4(ctx context.Context, selection experiments.Selection, rows []experiments.TightnessRow) (*reports.Figure, error) {
	T := rows[0].T
	for _, r := range rows {
		if r.T == paperT {
			T = paperT
		}
	}
	selection.Distributions = []int{T}
	cases, err := selection.Cases()
	if err != nil {
		return nil, err
	}
	if n := largest(cases); n > maxCells {
		return nil, fmt.Errorf("a heat map of %d cells would be too large; the limit is %d", n, maxCells)
	}
	panels, err := experiments.Intermediate(ctx, cases, experiments.PaperBetas())
	if err != nil {
		return nil, err
	}
	return reports.Figure4(panels)
}

func (a *app) tightnessCheck(rows []experiments.TightnessRow) error {
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
