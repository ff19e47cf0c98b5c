package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"breadboard/experiments"
	"breadboard/reports"
	"breadboard/reports/table"
)

// study is a route whose answer is the report of a study of an annealing.
type study struct {
	name      string   // of the route, behind /api/
	more      []string // the parameters of the route, beside those of the annealing
	slow      bool     // whether the answer may take seconds
	weighed   func() *experiments.Study
	stagewise bool // whether the answer has a row for each stage
	undrawn   bool // whether the answer leaves the figures out, which are then drawn where somebody downloads them
	run       func(context.Context, *Server, *question) (*asked, error)
}

// asked is a study's report, and how somebody else makes it.
type asked struct {
	report  *reports.Report
	command string             // the words of the command; empty where no command makes these rows
	options experiments.Params // its options, without those that describe the annealing
	lengths []int              // the values of T where they are not that of the question
	program program
}

// studies returns the routes whose answers are the reports of studies.
func studies() []study {
	return []study{solveStudy(), curveStudy(), gapStudy(), lawStudy(), samplesStudy(), spectrumStudy()}
}

// compute asks a study the question of a request.
func (s *Server) compute(r *http.Request, of *study, also ...string) (q *question, a *asked, err error) {
	q, err = s.ask(r, append(also, of.more...)...)
	if err != nil {
		return nil, nil, err
	}
	lane := s.quick
	if of.slow {
		lane = s.slow
	}
	var done *asked
	err = lane.inside(r.Context(), q.limits.Time, func(ctx context.Context) error {
		var weighed *experiments.Study
		if of.weighed != nil {
			weighed = of.weighed()
		}
		if err := q.build(ctx, weighed); err != nil {
			return err
		}
		if T := q.of.Distributions(); of.stagewise && T > q.limits.Stages {
			return failf(http.StatusBadRequest, "T", "T is %d, and the answer has a row for each stage; give at most %d, or run the command in a terminal", T, q.limits.Stages)
		}
		out, err := of.run(ctx, s, q)
		done = out
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return q, done, nil
}

// study answers with the rows and figures of a study.
func (s *Server) study(w http.ResponseWriter, r *http.Request, of *study) error {
	q, done, err := s.compute(r, of)
	if err != nil {
		return err
	}
	rows, err := rowsOf(done.report)
	if err != nil {
		return err
	}
	out := object{{"question", q.canonical()}, {"rows", rows}, {"notes", notesOf(q, done.report)}}
	if !of.undrawn {
		drawn, err := drawings(done.report)
		if err != nil {
			return err
		}
		out = append(out, member{"figures", drawn})
	}
	out = append(out, member{"command", done.line(q, s.options.Words)}, member{"go", done.program.text(q, done.lengths)})
	return writeJSON(w, http.StatusOK, out)
}

// rowsOf returns the rows of a report as the commands write them in the format json.
func rowsOf(r *reports.Report) (json.RawMessage, error) {
	tables := r.Tables()
	var b bytes.Buffer
	if err := tables[0].In(table.JSON).Write(&b, table.JSON); err != nil {
		return nil, err
	}
	var line bytes.Buffer // without the ends of lines, which would end an event
	if err := json.Compact(&line, b.Bytes()); err != nil {
		return nil, internal(err)
	}
	return line.Bytes(), nil
}

// notesOf returns the notes of a report, and what speaks against its results.
func notesOf(q *question, r *reports.Report) []string {
	notes := q.doubts()
	for _, n := range r.Notes() {
		notes = append(notes, n.In(nil))
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

// drawings returns the figures of a report that can be drawn.
func drawings(r *reports.Report) ([]drawing, error) {
	list := []drawing{}
	for _, f := range r.Figures() {
		drawn, err := f.Draw()
		if err != nil {
			continue // the figure says nothing here, as one of a curve does that has a single point
		}
		svg, err := drawn.Encode("svg")
		if err != nil {
			return nil, err
		}
		list = append(list, drawing{drawn.Name, string(svg)})
	}
	return list, nil
}
