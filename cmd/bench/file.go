package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/grid"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
	"breadboard/toys"
)

// file answers with the selector of the grid whose log f stands in the body of the request. Where
// the numbers look like probabilities it says so, and has the selector of the grid of which they
// are the probabilities.
func (s *Server) file(ctx context.Context, to Reply, r *Request) error {
	values, err := query(r, []string{"name"})
	if err != nil {
		return err
	}
	data, giveBack, err := s.body(
		r,
		s.options.Limits.Body,
		fmt.Sprintf("a painted grid has at most %d cells", toys.MaxCells),
	)
	if err != nil {
		return err
	}
	defer giveBack()
	shape, g, note, err := parseFile(values.Get("name"), data)
	if err != nil {
		return bad("name", err)
	}
	toy, err := toys.Cells(shape, g)
	if err != nil {
		return bad("name", err)
	}
	rows, columns := drawn(toy)
	answer := object{{"toy", toy.Name}, {"rows", rows}, {"columns", columns}}
	note = strings.Trim(toys.Squeezed("the file", shape)+"; "+note, "; ")
	if note != "" {
		answer = append(answer, member{"shape", note})
	}
	if likeDraws(g, rows, columns) {
		answer = append(answer, member{"note", "the numbers are whole and repeat, as draws do, and are taken as log f"})
	}
	if toys.LikeProbabilities(g) {
		for x, p := range g {
			g[x] = number.Log(p)
		}
		other, err := toys.Cells(shape, g)
		if err != nil {
			return bad("name", err)
		}
		answer = append(answer, member{
			"note", "the numbers are from 0 to 1 and sum to 1, as probabilities do, and are taken as log f"},
			member{"as_probabilities", other.Name})
	}
	return s.writeJSON(to, answer)
}

// likeDraws reports whether numbers look like a list of draws: a line of whole numbers of which
// most occur again.
func likeDraws(g []float64, rows, columns int) bool {
	const few = 10
	distinct := map[float64]bool{}
	for _, v := range g {
		if v < 0 || v != math.Trunc(v) || math.IsInf(v, 0) {
			return false
		}
		distinct[v] = true
	}
	return min(rows, columns) == 1 && len(g) >= few && 2*len(distinct) <= len(g)
}

// body returns the file that a request sends, of at most limit bytes, for a reason, and the
// function that gives its memory back.
func (s *Server) body(r *Request, limit int64,
	why string) (data []byte, giveBack func(), err error) {
	tooLarge := failf(statusTooLarge,
		"", "the file has more than %d bytes, and %s; give a smaller one, or run the command in a terminal",
		limit, why)
	size := r.Size
	switch {
	case size > limit:
		return nil, nil, tooLarge
	case size < 0: // which the request does not say
		size = limit
	}
	giveBack, err = s.files.reserveBytes(int(size))
	if err != nil {
		return nil, nil, err
	}
	data, err = io.ReadAll(io.LimitReader(r.Body, limit+1))
	tooMuch := int64(len(data)) > limit
	if err == nil && !tooMuch {
		return data, giveBack, nil
	}
	giveBack()
	if tooMuch {
		return nil, nil, tooLarge
	}
	return nil, nil, failf(statusBadRequest, "", "the file did not come whole: %w", err)
}

// parseFile reads log f by the ending of the file's name, in the shape that it has there. An
// archive is refused, because it may hold much more than its size.
func parseFile(name string, data []byte) (shape *grid.Lattice, g []float64, note string, err error) {
	switch ending := strings.ToLower(path.Ext(name)); ending {
	case ".csv", ".tsv", ".txt", ".json", ".npy":
		return toys.LogF().Parse(name, data)
	default:
		return nil, nil, "", errs.New(
			"the name %q has none of the endings .csv, .tsv, .txt, .json and .npy, which say how the file "+
				"is read; give the file another name",
			short(name),
		)
	}
}

// download returns the route at the path of a study with an ending, which answers with a figure or
// with the table as a file.
func (s *Server) download(at string) (route, bool) {
	ending := path.Ext(at)
	found, known := s.routes[strings.TrimSuffix(at, ending)]
	format := strings.TrimPrefix(ending, ".")
	isTable := format == string(table.CSV) || format == string(table.JSON)
	if !known || found.study == nil || !isTable && !slices.Contains(figure.Formats(), format) {
		return route{}, false
	}
	return route{method: methodGet, handle: func(ctx context.Context, to Reply, r *Request) error {
		if isTable {
			return s.tableFile(ctx, to, r, found.study, table.Format(format))
		}
		return s.figureFile(ctx, to, r, found.study, format)
	}}, true
}

// tableFile answers with the rows of a study, as the command writes them in a format.
func (s *Server) tableFile(ctx context.Context, to Reply, r *Request, study *studyRoute,
	format table.Format) error {
	var b bytes.Buffer
	_, _, err := s.compute(ctx, r, study, func(_ context.Context, a *task) error {
		if err := a.makeTable(format).Write(&b, format); err != nil {
			return internal(err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	kind := "text/csv; charset=utf-8"
	if format == table.JSON {
		kind = jsonType
	}
	return s.attach(to, fileName(study, "")+format.Extension(), kind, b.Bytes())
}

// figureFile answers with a figure of a study, as the command writes it: the one that is named, or
// else the first.
func (s *Server) figureFile(ctx context.Context, to Reply, r *Request, study *studyRoute, format string) error {
	style, err := styleOf(r, s.options.Limits.Width)
	if err != nil {
		return err
	}
	var drawn *figure.Figure
	var content []byte
	_, _, err = s.compute(ctx, r, study, func(_ context.Context, a *task) (err error) {
		drawn, err = figureNamed(a.report, r.URL.Query().Get("figure"))
		if err != nil {
			return err
		}
		content, err = drawn.In(style).Encode(format)
		return err
	}, "figure", widthName)
	if err != nil {
		return err
	}
	kind := map[string]string{"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}[format]
	return s.attach(to, fileName(study, drawn.Name)+"."+format, kind, content)
}

// fileName returns the name of a downloaded file, without its ending: the study, and the part of
// its report.
func fileName(study *studyRoute, part string) string {
	if part != "" {
		part = reports.FileName(part)
	}
	return reports.FileNames{Study: "breadboard_" + study.name}.NameOf(part)
}

// widthName is the parameter that says how wide figures are, so that their panels stand above one
// another if there is no room beside each other.
const widthName = "width"

// styleOf returns the style that a request asks figures to have, which are at most so many inches
// wide: the points of a PNG grow with the square of that.
func styleOf(r *Request, widest float64) (style figure.Style, err error) {
	width := r.URL.Query().Get(widthName)
	if width == "" {
		return style, nil
	}
	style.Width, err = figure.ParseLength(width)
	if err == nil {
		err = style.Validate()
	}
	if inches := float64(style.Width / vg.Inch); err == nil && inches > widest {
		err = errs.New("figures are drawn up to %g in wide here, and this one would have %.3g in; take svg, which "+
			"has no points and can be scaled, or run the command in a terminal",
			widest, inches)
	}
	if err != nil {
		return style, bad(widthName, fmt.Errorf("width: %w", err))
	}
	return style, nil
}

// figureNamed returns the figure of a report that has a name, or the first that can be drawn if the
// name is empty.
func figureNamed(r *reports.Report, name string) (*figure.Figure, error) {
	var names []string
	var why error
	for _, f := range r.Figures() {
		drawn, err := f.Draw()
		if err != nil {
			why = err
			continue
		}
		if name == "" || drawn.Name == name {
			return drawn, nil
		}
		names = append(names, drawn.Name)
	}
	switch {
	case len(names) > 0:
		return nil, bad("figure", selector.UnknownError("figure", short(name), names))
	case why != nil:
		return nil, bad("figure", fmt.Errorf("there is no figure here: %w", why))
	}
	return nil, bad("figure", errs.New("this answer has no figure; take csv or json"))
}

// attach answers with a file to be saved under a name.
func (s *Server) attach(to Reply, name, kind string, content []byte) error {
	return s.write(to, map[string]string{
		contentType: kind, "Content-Disposition": `attachment; filename="` + name + `"`}, content)
}
