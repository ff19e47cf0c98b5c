package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// studyRoute is a route whose answer is the report of a study of an annealing.
type studyRoute struct {
	name      string   // of the route, behind /api/
	more      []string // the parameters of the route, beside those of the annealing
	first     bool     // whether the answer must be there at once
	slow      bool     // whether the answer may take seconds
	weighed   func() *subject.Question
	stagewise bool // whether the answer has a row for each stage
	// the columns of the rows if none are named; nil is all of them
	columns []string
	// whether the answer leaves the figures out, which are then drawn when they are downloaded
	undrawn bool
	// those parameters of the study that are given; may be nil
	own func(*question) (subject.Params, error)
	// refuses what the study does not answer, and computes nothing
	plan func(*question) (*task, error)
}

// task is what a study is to compute, its report once it is computed, and how to make it outside
// the bench.
type task struct {
	rows int // how many its table has
	// called once what is too long or not answered is refused
	compute func(context.Context) (*reports.Report, error)
	report  *reports.Report // what compute has returned
	columns []string        // of its table; nil is all of them
	// the words of the command; empty if no command makes these rows
	command string
	// its options, without those that describe the annealing
	options subject.Params
	// the values of T if they are not that of the question
	lengths []int
	program program
	also    object // members of the answer beside those that all studies have
}

// studies returns the routes whose answers are the reports of studies.
func (s *Server) studies() []studyRoute {
	list := ownRoutes()
	for _, each := range routed(s.options.Studies) {
		list = append(list, derivedRoute(each))
	}
	return list
}

// ownRoutes returns the routes of studies that have a form or limits of their own.
func ownRoutes() []studyRoute {
	return []studyRoute{
		solveStudy(), curveStudy(), gapStudy(), lawStudy(), samplesStudy(), spectrumStudy(), scheduleStudy()}
}

// laneOf returns where a study is computed.
func (s *Server) laneOf(study *studyRoute) *lane {
	switch {
	case study.first:
		return s.first
	case study.slow:
		return s.slow
	default:
		return s.quick
	}
}

// compute asks a study the question of a request, and then does what is to be done with the result,
// on the same place: a figure may take longer than its rows, and must neither be drawn for those
// who have gone nor beside many others.
func (s *Server) compute(ctx context.Context, r *Request, study *studyRoute, then func(context.Context, *task) error,
	also ...string) (*question, *task, error) {
	q, err := s.readQuestion(r, append(append(also, columnsName), study.more...)...)
	if err != nil {
		return nil, nil, err
	}
	columns := study.columns
	if named := q.more.Get(columnsName); named != "" {
		columns = strings.Split(named, ",")
	}
	var done *task
	// Work that has been given up goes on for a moment, and still reads q, which is therefore no
	// result that a return sets to nil.
	err = s.laneOf(study).inside(ctx, q.limits.Stream, func(ctx context.Context) (err error) {
		var weighed *subject.Question
		if study.weighed != nil {
			weighed = study.weighed()
		}
		if study.own != nil {
			q.options, err = study.own(q)
			if err != nil {
				return err
			}
			q.own = filled(weighed, q.options)
		}
		if err := q.build(ctx, weighed); err != nil {
			return err
		}
		if T := q.subject.Distributions(); study.stagewise && T > q.limits.Stages {
			return failf(statusBadRequest, "T",
				"T is %d, and the answer has a row for each stage; give at most %d, or run the command in "+
					"a terminal", T,
				q.limits.Stages)
		}
		out, err := study.plan(q)
		if err == nil {
			err = out.checkColumns(q, columns)
		}
		if err == nil {
			out.report, err = out.compute(ctx)
		}
		if err == nil {
			err = out.chooseColumns(q, columns)
		}
		if err == nil {
			err = then(ctx, out)
		}
		done = out
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return q, done, nil
}

// study answers with the rows and figures of a study.
func (s *Server) study(ctx context.Context, to Reply, r *Request, study *studyRoute) error {
	style, err := styleOf(r, s.options.Limits.Width)
	if err != nil {
		return err
	}
	var drawn []drawing
	q, done, err := s.compute(ctx, r, study, func(ctx context.Context, a *task) (err error) {
		if !study.undrawn {
			drawn, err = drawings(ctx, a.report, style)
		}
		return err
	}, widthName)
	if err != nil {
		return err
	}
	rows, err := rowsOf(done.makeTable(table.JSON))
	if err != nil {
		return err
	}
	out := object{{"question", q.canonical()}, {"rows", rows}, {"notes", notesOf(done.report)}}
	if !study.undrawn {
		out = append(out, member{"figures", drawn})
	}
	out = append(out, done.also...)
	out = append(out, member{"command", done.commandLine(q)}, member{"go", done.program.text(q, done.lengths)})
	return s.writeJSON(to, out)
}

// columnsName is the parameter that names the columns of the rows.
const columnsName = "columns"

// reported returns the function that computes rows and makes their report.
func reported[R any](report func([]R) *reports.Report,
	rows func(context.Context) ([]R, error)) func(context.Context) (*reports.Report, error) {
	return func(ctx context.Context) (*reports.Report, error) {
		list, err := rows(ctx)
		if err != nil {
			return nil, err
		}
		return report(list), nil
	}
}

// checkColumns fails if rows with these columns, or with all if there are none, would repeat the
// selectors of the question so often that the answer is huge.
func (a *task) checkColumns(q *question, columns []string) error {
	each := 0
	longest := subject.Param{}
	for _, p := range q.params() {
		if columns == nil || slices.Contains(columns, p.Name) {
			each += len(p.Value)
			if len(p.Value) > len(longest.Value) {
				longest = p
			}
		}
	}
	if bytes := int64(each) * int64(a.rows); bytes > q.limits.Repeated {
		return bad(columnsName,
			errs.New("%d rows of which each has %d characters of the question are too long an answer; name the "+
				"columns to have, and not %s",
				a.rows, each,
				longest.Name))
	}
	return nil
}

// chooseColumns has the answer have these columns alone, and all if there are none.
func (a *task) chooseColumns(q *question, columns []string) error {
	if columns == nil {
		return nil
	}
	if _, err := a.makeTable(table.JSON).Select(table.JSON, columns); err != nil {
		return bad(columnsName, err)
	}
	if q.more.Get(columnsName) != "" {
		a.options = append(a.options, subject.Param{Name: columnsName, Value: strings.Join(columns, ",")})
	}
	a.columns = columns
	return nil
}

// makeTable returns the rows in a format, with the columns that were chosen.
func (a *task) makeTable(f table.Format) *table.Table {
	all := a.report.Tables()[0].In(f)
	if a.columns != nil {
		if some, err := all.Select(f, a.columns); err == nil { // as choose has tried
			return some
		}
	}
	return all
}

// rowsOf returns the rows of a table as the commands write them in the format json.
func rowsOf(t *table.Table) (json.RawMessage, error) {
	var b bytes.Buffer
	if err := t.Write(&b, table.JSON); err != nil {
		return nil, err
	}
	var line bytes.Buffer // without the ends of lines, which would end an event
	if err := json.Compact(&line, b.Bytes()); err != nil {
		return nil, internal(err)
	}
	return line.Bytes(), nil
}

// notesOf returns the notes of a report, and what speaks against its results.
func notesOf(r *reports.Report) []string {
	notes := []string{} // which is written as a list also if it is empty
	for _, n := range r.Notes() {
		notes = append(notes, cutWords(n.In(nil)))
	}
	if r.Fault != nil {
		notes = append(notes, "a check has failed: "+r.Fault.Error())
	}
	return notes
}

// drawing is a figure of an answer.
type drawing struct {
	Name string `json:"name"`
	SVG  string `json:"svg"`
}

// drawings returns the figures of a report that can be drawn, in a style. It fails if the context
// has ended before one of them.
func drawings(ctx context.Context, r *reports.Report, style figure.Style) ([]drawing, error) {
	list := []drawing{}
	for _, f := range r.Figures() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		drawn, err := f.Draw()
		if err != nil {
			continue // the figure says nothing here, as one of a curve does that has a single point
		}
		encoded, err := encode(drawn.In(style))
		if err != nil {
			return nil, err
		}
		list = append(list, encoded)
	}
	return list, nil
}

// encode returns a figure as a part of an answer.
func encode(f *figure.Figure) (drawing, error) {
	svg, err := f.Encode("svg")
	return drawing{f.Name, string(svg)}, err
}
