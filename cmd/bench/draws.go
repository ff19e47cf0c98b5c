package bench

import (
	"context"
	"path"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/chain"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/draws/codes"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/table"
)

// What draws may be taken for: independent draws of the target, and those of a chain, whose moves
// are those of the kernel or not known.
const (
	asDraws  = "draws"
	asChain  = "chain"
	asKernel = "kernel"
)

// draws answers with what the draws in the body of the request say of the target: the report of
// conform draws, or of conform chain, and how often each state was drawn.
func (s *Server) draws(ctx context.Context, to Reply, r *Request) error {
	q, err := s.readQuestion(r, "name", "as", widthName)
	if err != nil {
		return err
	}
	style, err := styleOf(r, s.options.Limits.Width)
	if err != nil {
		return err
	}
	name := q.more.Get("name")
	as := q.more.Get("as")
	if known := []string{asDraws, asChain, asKernel}; !slices.Contains(known, as) {
		return bad("as", selector.UnknownError("kind of draws", short(as), known))
	}
	if !slices.Contains([]string{".csv", ".tsv", ".txt", ".npy"}, strings.ToLower(path.Ext(name))) {
		return bad("name", errs.New(
			"the name %q has none of the endings .csv, .tsv, .txt and .npy, which say how draws are read; "+
				"run the command in a terminal for other files",
			short(name),
		))
	}
	data, giveBack, err := s.body(r, s.options.Limits.Draws, "no more draws are tested here")
	if err != nil {
		return err
	}
	defer giveBack()
	var report *reports.Report
	var counts []int
	var drawn []drawing
	err = s.slow.inside(ctx, q.limits.Stream, func(ctx context.Context) error {
		err := q.prepare(ctx, nil)
		if err == nil {
			report, counts, err = q.tested(ctx, name, as, data)
		}
		if err == nil {
			drawn, err = drawings(ctx, report, style)
		}
		return err
	})
	if err != nil {
		return bad("name", err)
	}
	first := report.Tables()[0]
	rows, err := rowsOf(first.In(table.JSON))
	if err != nil {
		return err
	}
	command := "breadboard conform " + strings.Replace(as, asKernel, asChain, 1) + " " +
		selector.ShellQuote(name) + " " + flag("toy", q.toy.Selector())
	if as == asKernel {
		command += " " + flag(asKernel, q.selection.Kernel)
	}
	return s.writeJSON(to, object{{"says", first.Summary(func(verdict string) string { return verdict })},
		{"rows", rows}, {"notes", notesOf(report)}, {"figures", drawn},
		{"counts", counts}, {"command", command}})
}

// tested returns the report of the test of draws, and how often each state was drawn, which is nil
// if draws have weights.
func (q *question) tested(ctx context.Context, name, as string, data []byte) (*reports.Report, []int, error) {
	law, err := draws.OfToy(q.toy)
	if err != nil {
		return nil, nil, bad("toy", err)
	}
	law.Codes.Content = data
	reader, err := law.Codes.Open(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	defer reader.Close()
	list := []*codes.Reader{reader}
	o := draws.Options{Alpha: check.DefaultAlpha}
	var report *reports.Report
	var counts []int
	if as == asDraws {
		found, err := draws.Check(ctx, law, list, o)
		if err != nil {
			return nil, nil, err
		}
		report = draws.Report(found)
		counts = found.Counts
	} else {
		of := chain.Options{Options: o, Thin: 1}
		if as == asKernel {
			of.Kernel, of.Name = q.kernel, q.selection.Kernel
		}
		found, err := chain.Check(ctx, q.toy, list, of)
		if err != nil {
			return nil, nil, err
		}
		report = chain.Report(found, false)
		counts = found.Counts
	}
	for _, note := range reader.Notes() {
		report.Note("%s", note)
	}
	return report, counts, nil
}
