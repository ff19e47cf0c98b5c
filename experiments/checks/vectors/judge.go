package vectors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/chains/tables"
	"breadboard/experiments/subject"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// Answers are the results of a user's code, by routine and case.
type Answers map[string]map[string]Given

// Given is the result of a function for a case, or its failure.
type Given struct {
	value  [][]num
	failed string // the error text instead of an answer
	Text   string // as in the file
}

// Names returns the names of all routines.
func Names() []string { return mapped(All(), func(r *Routine) string { return r.Name }) }

// FindRoutines returns the named routines, all if there are no names.
func FindRoutines(names []string) ([]*Routine, error) {
	if len(names) == 0 {
		return All(), nil
	}
	var found []*Routine
	for i, name := range names {
		at := slices.Index(Names(), name)
		switch {
		case at < 0:
			return nil, selector.UnknownError("routine", name, Names())
		case !slices.Contains(names[:i], name):
			found = append(found, All()[at])
		}
	}
	return found, nil
}

// ReadAnswers reads answers: {routine: {case: answer}}. A number that JSON lacks is a text, such as
// "-inf". A text that begins with "error", and null, mean that the function has failed.
func ReadAnswers(data []byte) (Answers, error) {
	all := Answers{}
	err := entries(tables.Quoted(data), func(name string, data json.RawMessage) error {
		found, err := FindRoutines([]string{name})
		if err != nil {
			return err
		}
		all[name] = map[string]Given{}
		return entries(data, func(id string, data json.RawMessage) error {
			if ids := mapped(found[0].cases, func(c example) string { return c.name }); !slices.Contains(ids, id) {
				return fmt.Errorf("%s: %w", name, selector.UnknownError("case", id, ids))
			}
			given, err := readAnswer(data)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, id, err)
			}
			all[name][id] = given
			return nil
		})
	})
	if err == nil && len(all) == 0 {
		err = errs.New(`there are no answers; write {"ROUTINE": {"CASE": ANSWER}}`)
	}
	return all, err
}

// entries calls a function for each entry of an object, and refuses a name that stands twice.
func entries(data []byte, each func(name string, data json.RawMessage) error) error {
	in := json.NewDecoder(bytes.NewReader(data))
	if begin, err := in.Token(); err != nil || begin != json.Delim('{') {
		return errs.New(`the text is not an object; write {"ROUTINE": {"CASE": ANSWER}}`)
	}
	seen := map[string]bool{}
	for in.More() {
		token, err := in.Token()
		var value json.RawMessage
		if err == nil {
			err = in.Decode(&value)
		}
		if err != nil {
			return errs.New("the text is no JSON: %w; is it whole?", err)
		}
		name := token.(string)
		if seen[name] {
			return errs.New("%q stands twice; keep one", name)
		}
		seen[name] = true
		if each != nil {
			if err := each(name, value); err != nil {
				return err
			}
		}
	}
	if _, err := in.Token(); err != nil {
		return errs.New("the text is no JSON: %w; is it whole?", err)
	}
	if _, err := in.Token(); err != io.EOF {
		return errs.New("there is more behind the object; write one object")
	}
	return nil
}

// readAnswer reads an answer: a number, a list or a list of lists.
func readAnswer(data json.RawMessage) (g Given, err error) {
	g.Text = selector.Short(string(data))
	var rows []json.RawMessage
	switch {
	case string(data) == "null":
		g.failed = "nothing"
	case data[0] != '[':
		var v num
		v, g.failed, err = entry(data)
		g.value = aNumber(v)
	default:
		err = json.Unmarshal(data, &rows)
		if len(rows) == 0 || rows[0][0] != '[' {
			rows = []json.RawMessage{data}
		}
		for _, row := range rows {
			var cells []json.RawMessage
			if err == nil {
				err = json.Unmarshal(row, &cells)
			}
			var out []num
			for _, cell := range cells {
				v, failed, wrong := entry(cell)
				err = errors.Join(err, wrong)
				if failed != "" {
					g.failed = failed
				}
				out = append(out, v)
			}
			g.value = append(g.value, out)
		}
	}
	return g, err
}

// entry reads a number, or a failure.
func entry(data json.RawMessage) (v num, failed string, err error) {
	text := strings.Trim(string(data), `"`)
	if data[0] == '"' && strings.HasPrefix(strings.ToLower(text), "error") {
		return v, text, nil
	}
	if string(data) == "null" {
		return v, "", nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return v, "", errs.New(
			"%s is not a number; write a number, \"inf\", \"-inf\", \"nan\", or \"error: \" and why there is none",
			selector.Short(string(data)),
		)
	}
	return exactNumber(f), "", nil
}

// distanceFrom returns how far what was given is from an answer. A failure is right if the answer
// is undefined.
func (g *Given) distanceFrom(answer [][]num, scale float64) float64 {
	if g.failed == "" {
		return largestError(g.value, answer, scale)
	}
	if slices.ContainsFunc(slices.Concat(answer...), func(v num) bool { return v.v == nil }) {
		return 0
	}
	return math.Inf(1)
}

// Finding is the result for the answers to a routine.
type Finding struct {
	Cases, Answered, Wrong int
	check.Finding
}

// Columns are those of findings.
func Columns() columns.List {
	return slices.Insert(check.Columns[Finding](Names()...), 1, columns.List{
		columns.Of("cases", "cases", "how many cases the routine has", func(f *Finding) int { return f.Cases }),
		columns.Of("answered", "answered", "how many of them have an answer",
			func(f *Finding) int { return f.Answered }),
		columns.Of("wrong", "wrong", "how many of these answers are wrong",
			func(f *Finding) int { return f.Wrong }).Answer(),
	}...)
}

// Judge judges the answers to each routine. It calls progress after each.
func Judge(ctx context.Context, answers Answers, progress func(int)) ([]Finding, error) {
	list := slices.DeleteFunc(slices.Clone(All()), func(r *Routine) bool { return answers[r.Name] == nil })
	all := make([]Finding, len(list))
	return all, subject.Parallel(ctx, len(list), 0, func(_ context.Context, i int) error {
		all[i] = list[i].judgeAnswers(answers[list[i].Name])
		progress(1)
		return nil
	})
}

// judgeAnswers says which answers are wrong, and how far the first of these is off.
func (r *Routine) judgeAnswers(given map[string]Given) Finding {
	f := Finding{Cases: len(r.cases), Answered: len(given)}
	f.Finding = check.Finding{Name: r.Name, Value: math.NaN(), Tolerance: r.Tolerance, Verdict: check.Pass}
	var first string
	var wrong, missing []string
	for _, c := range r.AnsweredCases() {
		g, there := given[c.ID]
		if !there {
			missing = append(missing, c.ID)
			continue
		}
		off := g.distanceFrom(c.Answer, c.Scale)
		f.Value = max(off, f.Value)
		if math.IsNaN(f.Value) {
			f.Value = off
		}
		if off <= r.Tolerance {
			continue
		}
		if wrong == nil {
			right := selector.Short(string(valueJSON(c.Answer, r.Output, 6)))
			first = fmt.Sprintf("%s (%s) is %s, and not %s", c.ID, c.Comment, g.Text, right)
			if !math.IsInf(off, 1) {
				first += fmt.Sprintf("; the error is %.2g, and the tolerance %.2g", off, r.Tolerance)
			}
		}
		wrong = append(wrong, c.ID)
	}
	f.Wrong = len(wrong)
	switch {
	case f.Wrong > 0:
		f.Verdict = check.Fault
		f.Where = fmt.Sprintf("%d of %d answers are wrong: %s; %s", f.Wrong, f.Answered, selector.Listed(wrong), first)
	case len(given) == 0:
		f.Verdict = check.Open
		f.Where = "no case has an answer"
	case len(missing) > 0:
		f.Verdict, f.Where = check.Open,
			fmt.Sprintf("%d cases have no answer: %s", len(missing), selector.Listed(missing))
	}
	return f
}
