package reproduce

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// Options say which claims are judged, and how their commands are run.
type Options struct {
	Papers   []string // keys of papers; none is all
	Claims   []string // identifiers of claims; none is all
	Verdicts []string // the declared verdicts of the claims; none is all
	Effort   Effort   // the largest of the claims that are judged
	// Ask runs a command and returns its table in JSON. It is called from several goroutines at
	// once.
	Ask func(ctx context.Context, command string) ([]byte, error)
}

// Row is a claim with the verdict on it.
type Row struct {
	Claim
	Read  []Reading // what the test has read
	Now   Verdict   // empty if Fault says why there is none
	Fault error
}

// Differs reports whether the verdict differs from the declared one.
func (r *Row) Differs() bool { return r.Now != r.Verdict }

// Found implements check.Result: a verdict that differs from the declared one is a fault, and a
// claim that lacks something is open.
func (r Row) Found() check.Finding {
	f := check.Finding{
		Name:      r.ID,
		Value:     math.NaN(),
		Tolerance: math.NaN(),
		Verdict:   check.Pass,
		Where:     strings.TrimSuffix(string(r.Now)+": "+r.ours("%v"), ": "),
	}
	switch {
	case r.Fault != nil:
		f.Verdict, f.Where = check.Fault, r.Fault.Error()
	case r.Differs():
		f.Verdict, f.Where = check.Fault,
			fmt.Sprintf("the verdict is %q, but %q is declared", r.Now, r.Verdict)
	case r.Now == missing || r.Now == notTried:
		f.Verdict = check.Open
		f.Where = r.Lacks
	}
	return f
}

// ours returns the numbers that the test has read, each with its name, as fmt writes them with a
// verb.
func (r *Row) ours(verb string) string {
	return strings.Join(texts(r.Read, func(v Reading) string { return fmt.Sprintf("%s "+verb, v.Name, v.Value) }), "; ")
}

// Study declares the study.
func Study() *study.Study[study.NoSubjects, Options, Row] {
	return study.New(Options{Effort: Fast}, plan, study.Declaration{
		Name: "reproduce", Asks: "Do the claims of five papers hold? Each is computed anew",
		Help: `reproduce computes the claims of five papers anew and gives each a verdict.

The columns why and command have the reason and the commands that compute a
claim. All fast claims together take a minute on two cores. The exit code is 1
if a verdict differs from the declared one, or if a command fails. With --out
the answers of commands are kept, so that an interrupted run continues, and
figures of the papers are drawn; breadboard report DIR makes a page of
everything.

See breadboard help papers.`,
		Examples: `  breadboard reproduce
  breadboard reproduce --id bread-7
  breadboard reproduce --verdict "printed wrongly"
  breadboard reproduce --effort slow --out papers`,
		Counts: "commands", Workers: true, Options: study.OptionsOf(options),
		Columns: Columns(),
		View:    reports.Untyped(Report),
		Unswept: "its rows are verdicts on claims",
	})
}

// texts returns a text for each element of a list.
func texts[T any](list []T, text func(v T) string) (out []string) {
	for _, v := range list {
		out = append(out, text(v))
	}
	return out
}

// keys, verdicts, efforts and identifiers return texts that options may have.
func verdictTexts() []string { return texts(Verdicts(), func(v Verdict) string { return string(v) }) }
func effortTexts() []string  { return texts(efforts(), func(e Effort) string { return string(e) }) }

func identifiers(list []Claim) []string { return texts(list, func(c Claim) string { return c.ID }) }

func options(o *Options) []study.Option {
	return []study.Option{
		{Name: "paper", Doc: ": " + strings.Join(keys(), ", "),
			To: study.Texts(&o.Papers)},
		{Name: "id",
			To: study.Texts(&o.Claims)},
		{Name: "verdict", Doc: ", as \"printed wrongly\"",
			To: study.Texts(&o.Verdicts)},
		{Name: "effort", Doc: ": " + strings.Join(effortTexts(), ", "),
			To: study.Named(&o.Effort, "EFFORT", func(text string) (Effort, error) {
				return Effort(text), among("effort", text, effortTexts())
			})},
	}
}

// among refuses a text that is none of a few.
func among(kind, text string, known []string) error {
	if slices.Contains(known, text) {
		return nil
	}
	return selector.UnknownError(kind, text, known)
}

// Select returns the claims that the options name, of any effort, in the order of the papers.
func Select(o *Options) ([]Claim, error) {
	all := Claims()
	ids := identifiers(all)
	for _, text := range o.Papers {
		if err := among("paper", text, keys()); err != nil {
			return nil, err
		}
	}
	for _, text := range o.Verdicts {
		if err := among("verdict", text, verdictTexts()); err != nil {
			return nil, err
		}
	}
	for _, text := range o.Claims {
		if !slices.Contains(ids, text) {
			return nil, errs.New(
				"there is no claim %q; they are called %s to %s, and {paper} lists those of a paper",
				text,
				ids[0],
				ids[len(ids)-1],
			)
		}
	}
	chosen := func(list []string, text string) bool { return len(list) == 0 || slices.Contains(list, text) }
	list := slices.DeleteFunc(all, func(c Claim) bool {
		return !chosen(o.Papers, c.Paper()) || !chosen(o.Claims, c.ID) ||
			!chosen(o.Verdicts, string(c.Verdict))
	})
	if len(list) == 0 {
		return nil, errs.New("no claim matches all of {paper}, {id} and {verdict}; leave one out")
	}
	return list, nil
}

func plan(_ context.Context, _ []study.NoSubjects, o *Options) (study.Plan[Row], error) {
	if o.Ask == nil {
		return study.Plan[Row]{}, errs.New(
			"there is nothing to run the commands of claims with; use breadboard reproduce, or set Options.Ask",
		)
	}
	list, err := Select(o)
	if err != nil {
		return study.Plan[Row]{}, err
	}
	list, err = o.affordable(list)
	if err != nil {
		return study.Plan[Row]{}, err
	}
	commands := commandsOf(list)
	return study.Plan[Row]{Steps: len(commands), Run: func(ctx context.Context, h study.How) ([]Row, error) {
		answers, err := subject.Rows(ctx, len(commands), h.Workers, func(ctx context.Context, i int) ([]answer, error) {
			defer h.Add(1)
			return ask(ctx, o, commands[i])
		})
		return judge(list, answers), err
	}}, nil
}

// Dearer returns the identifiers of the claims that the options name but that exceed their effort.
func (o *Options) Dearer() (ids []string) {
	list, _ := Select(o)            // where it fails nothing is left out
	within, _ := o.affordable(list) // none, where it fails
	return slices.DeleteFunc(
		identifiers(list),
		func(id string) bool { return slices.Contains(identifiers(within), id) },
	)
}

// affordable returns the claims that are within the effort. One that is named has any effort.
func (o *Options) affordable(list []Claim) ([]Claim, error) {
	within := slices.DeleteFunc(slices.Clone(list), func(c Claim) bool {
		return !c.effort().Within(o.Effort) && !slices.Contains(o.Claims, c.ID)
	})
	if len(within) == 0 {
		return nil, errs.New("all %d claims take more than {effort} %s; give {effort} %s",
			len(list), o.Effort, long)
	}
	return within, nil
}

// commandsOf returns the commands of claims, each once.
func commandsOf(list []Claim) (commands []string) {
	for _, c := range list {
		for _, command := range c.Commands {
			if !slices.Contains(commands, command) {
				commands = append(commands, command)
			}
		}
	}
	return commands
}

// answer is what a command has answered: a table, or an error.
type answer struct {
	command string
	table   Table
	err     error
}

// ask asks a command. That it fails is an answer, unless the run has been interrupted.
func ask(ctx context.Context, o *Options, command string) ([]answer, error) {
	data, err := o.Ask(ctx, command)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	a := answer{command: command, err: err}
	if err == nil {
		a.table, a.err = ParseTable(data)
	}
	return []answer{a}, nil
}

// judge returns the rows of those claims whose commands have all answered.
func judge(list []Claim, answers []answer) (rows []Row) {
	byCommand := map[string]answer{}
	for _, a := range answers {
		byCommand[a.command] = a
	}
	for _, c := range list {
		r := Row{Claim: c}
		var tables []Table
		for _, command := range c.Commands {
			a, there := byCommand[command]
			if !there {
				break
			}
			if a.err != nil && r.Fault == nil {
				r.Fault = fmt.Errorf("breadboard %s: %w", command, a.err)
			}
			tables = append(tables, a.table)
		}
		if len(tables) < len(c.Commands) {
			continue
		}
		if r.Fault == nil {
			read := newAnswers(c.Commands, tables)
			r.Now, r.Fault = c.judge(read)
			r.Read = read.Readings()
		}
		rows = append(rows, r)
	}
	return rows
}

// Columns are the columns of the rows.
func Columns() columns.List {
	return columns.List{
		columns.Of("claim", "claim", "the short name of the paper and the number of the claim, as in bread-7",
			func(r *Row) string { return r.ID }),
		columns.Of("paper", "", "the short name of the paper", (*Row).Paper),
		columns.Of("says", "what is claimed", "the claim, rephrased", func(r *Row) string { return r.Says }).
			Prose().Answer(),
		columns.Any("printed", "printed", columns.String, "the value that the paper prints; empty if it prints none",
			func(r *Row) any { return orNil(r.Printed) }).Prose(),
		columns.Any("ours", "breadboard", columns.String,
			"the numbers that decide, each with its column and row", ours).Prose(),
		columns.Any("verdict", "verdict", columns.String,
			"one of these: "+strings.Join(verdictTexts(), ", ")+"; empty if a command of the claim has failed",
			func(r *Row) any { return orNil(string(r.Now)) }).Prose().Answer(),
		columns.Of("seen_before", "", "the declared verdict", func(r *Row) string { return string(r.Verdict) }),
		columns.Any("why", "why", columns.String, "the reason for the verdict, its condition, or what is missing",
			func(r *Row) any { return orNil(strings.TrimSpace(r.Lacks + " " + r.Why)) }).Prose().Answer(),
		columns.Any("command", "command", columns.String, "the command lines that compute it",
			func(r *Row) any { return orNil(r.commandLines()) }).Prose().Answer(),
		columns.Of("place", "place", "the place in the paper", func(r *Row) string { return r.Place }).Prose(),
		columns.Of("kind", "kind", "number, order, shape, theorem, statement or protocol",
			func(r *Row) string { return string(r.Kind) }),
		columns.Of("effort", "", "fast, slow or long", func(r *Row) string { return string(r.effort()) }),
	}
}

// ours is the cell of the numbers of a row: with all digits for machines.
func ours(r *Row) any {
	if len(r.Read) == 0 {
		return nil
	}
	return columns.Both{Machine: r.ours("%v"), People: r.ours("%.6g")}
}

// orNil returns an empty cell for an empty text.
func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// commandLines returns the command lines that compute a claim, for people to run.
func (r *Row) commandLines() string {
	return strings.Join(texts(r.Commands, func(command string) string {
		return "breadboard " + strings.Join(texts(strings.Fields(command), selector.ShellQuote), " ")
	}), "; ")
}
