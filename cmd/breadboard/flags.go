package main

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/study"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// addSelector adds a flag that takes one selector of the given forms.
func addSelector(flags *pflag.FlagSet, to *string, name, standard string, forms []string, usage string) {
	*to = standard
	flags.Var(study.Selector(to, forms), name, usage)
}

// addSeed adds the flag of a seed, 1 by default.
func addSeed(flags *pflag.FlagSet, seed *uint64) {
	*seed = 1
	flags.Var(study.Seed(seed), "seed", "")
}

// addWorkers adds the flag of how many are at work at once, which as many as there are cores are by
// default.
func addWorkers(flags *pflag.FlagSet, workers *int) {
	flags.Var(study.Whole(workers, "N", 0, maxCount), "workers", "")
	onlyPresents(flags, "workers")
}

// addTime adds the flag of the largest estimate of the computation on one core.
func addTime(flags *pflag.FlagSet, limit *time.Duration) {
	*limit = study.DefaultTime
	flags.Var(parsed(limit, "duration", time.Duration.String, parseTime), "time", "")
	onlyPresents(flags, "time")
}

// parseTime reads a limit on time.
func parseTime(text string) (time.Duration, error) {
	limit, err := time.ParseDuration(text)
	if err == nil && limit <= 0 {
		err = errs.New("a limit of no time allows nothing; give one above zero, as in 90s")
	}
	return limit, err
}

// addNumbers adds a flag that takes numbers separated by commas, which replace the default.
func addNumbers(flags *pflag.FlagSet, to *[]float64, name string, standard []float64, usage string) {
	*to = standard
	flags.Var(study.Numbers(to), name, usage)
}

// textFlag is a flag whose value is read from a text and shown as one.
type textFlag struct {
	kind string
	show func() string
	set  func(text string) error
}

func (f textFlag) Type() string          { return f.kind }
func (f textFlag) String() string        { return f.show() }
func (f textFlag) Set(text string) error { return f.set(text) }

// parsed is a flag of a kind that takes what parse reads.
func parsed[T any](to *T, kind string, show func(T) string, parse func(text string) (T, error)) pflag.Value {
	set := func(text string) error {
		v, err := parse(text)
		if err == nil {
			*to = v
		}
		return err
	}
	return textFlag{kind, func() string { return show(*to) }, set}
}

// asIs shows a text.
func asIs(text string) string { return text }

// listValue is the value of a flag that is a list. Those of pflag are.
type listValue interface{ GetSlice() []string }

// maxToys bounds the number of toys of one command. A sweep takes more.
const maxToys = 10_000

// toyList is a flag that takes selectors of toys with commas between them, and ranges in them, as
// random:2:{0..99} or random:2:{3,7}. The first time it is given it replaces the default, and then
// it adds to what is there.
type toyList struct {
	toys    *[]string
	changed bool
}

// addToys adds the flag of a list of toys, whose default is what is there.
func addToys(flags *pflag.FlagSet, toys *[]string, usage string) *toyList {
	list := &toyList{toys: toys}
	flags.Var(list, "toy", usage)
	return list
}

func (l *toyList) Type() string { return "stringSlice" }

func (l *toyList) String() string {
	if l.toys == nil || len(*l.toys) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(*l.toys) // a strings.Builder never fails
	w.Flush()
	return "[" + strings.TrimSuffix(b.String(), "\n") + "]"
}

func (l *toyList) Set(text string) error {
	lines, err := selector.ReadLists(text)
	if err != nil {
		return err
	}
	if !l.changed {
		*l.toys, l.changed = nil, true
	}
	all, err := selector.ExpandRanges(slices.Concat(append([][]string{*l.toys}, lines...)...), maxToys)
	if err == nil {
		*l.toys = all
	}
	return err
}

// GetSlice makes toyList a listValue.
func (l *toyList) GetSlice() []string { return *l.toys }

// Repeated removes repeated targets from the list, and returns each of them once.
func (l *toyList) Repeated() (again []string) {
	*l.toys, again = study.Distinct(*l.toys, strings.TrimSpace)
	return again
}

// summed is a flag that takes parts with a plus between them, and adds to them where it is
// repeated.
func summed(to *string, kind string) pflag.Value {
	return parsed(to, kind, asIs, func(text string) (string, error) {
		if *to == "" {
			return text, nil
		}
		return *to + "+" + text, nil
	})
}

// conditions is a flag that takes conditions on the columns of a table, separated by commas, and
// adds to them where it is repeated.
func conditions(to *[]table.Condition) pflag.Value {
	show := func(list []table.Condition) string {
		parts := make([]string, len(list))
		for i, c := range list {
			parts[i] = c.String()
		}
		return strings.Join(parts, ",")
	}
	return parsed(to, "CONDITION,...", show, func(text string) ([]table.Condition, error) {
		more, err := columns.ParseConditions(text)
		return append(*to, more...), err
	})
}

// exclude makes a command refuse a flag beside any of some others.
func exclude(c *cobra.Command, flag string, others ...string) {
	for _, other := range others {
		c.MarkFlagsMutuallyExclusive(flag, other)
	}
}

// once is a flag that takes one value, and refuses a second one, by which the first would be lost.
type once struct {
	pflag.Value
	given bool
}

func (v *once) Set(text string) error {
	if v.given {
		return errs.New("the flag is given twice, and is %s already; give it once", v.Value)
	}
	err := v.Value.Set(text)
	v.given = err == nil
	return err
}

// addsUp reports whether a flag is a list, to which repeating the flag adds.
func addsUp(f *pflag.Flag) bool {
	_, list := f.Value.(listValue)
	return list || strings.HasSuffix(f.Value.Type(), "...")
}

// giveOnce has the flags of a command, and of all commands below it, refuse to be given twice,
// apart from those that add up. It also explains them.
func giveOnce(c *cobra.Command) {
	give := func(f *pflag.Flag) {
		explain(f)
		if _, single := f.Value.(*once); !single && !addsUp(f) {
			f.Value = &once{Value: f.Value}
		}
	}
	c.Flags().VisitAll(give)
	c.PersistentFlags().VisitAll(give)
	for _, below := range c.Commands() {
		giveOnce(below)
	}
}

// checkEmpty refuses an empty value of any flag, an empty element of a list and an empty argument,
// which would count as not given. It returns the command. What is behind -- is for a program.
func checkEmpty(root *cobra.Command, words []string) (*cobra.Command, error) {
	c, words, err := root.Find(words)
	if err != nil || c == root {
		return c, nil // without a command the root refuses the words, or completes them
	}
	c.InitDefaultHelpFlag() // parsing without it prints the usage
	empty := func(what string) error {
		return errs.New("%s is empty, as is a shell variable that is not set; give a value, or leave it out", what)
	}
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	flags := c.Flags()
	err = nil
	_ = flags.ParseAll(words, func(f *pflag.Flag, value string) error { // Execute returns errors of parsing
		lists, _ := selector.ReadLists(value)
		switch name := "--" + shortName(f); {
		case blank(value):
			err = cmp.Or(err, empty(name))
		case addsUp(f) && strings.Contains(unitOf(f), ",") && slices.ContainsFunc(slices.Concat(lists...), blank):
			err = cmp.Or(err, empty(fmt.Sprintf("an element of %s %q", name, value)))
		}
		return nil
	})
	own := flags.Args()
	if dash := flags.ArgsLenAtDash(); dash >= 0 {
		own = own[:dash]
	}
	if at := slices.IndexFunc(own, blank); at >= 0 {
		err = cmp.Or(err, empty(fmt.Sprintf("argument %d", at+1)))
	}
	return c, err
}

// onceEach takes out of the lists that flags hold what they hold twice, and returns a note about
// each. A list of columns is left as it is: their places count.
func onceEach(c *cobra.Command) (notes []string) {
	note := func(f *pflag.Flag, repeated []string) {
		for _, text := range repeated {
			notes = append(notes, "--"+f.Name+" "+text+" is given twice; it is done once")
		}
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || f.Name == "columns" {
			return
		}
		switch v := f.Value.(type) {
		case interface{ Repeated() []string }:
			note(f, v.Repeated())
		case pflag.SliceValue:
			if f.Value.Type() != "stringSlice" {
				return
			}
			kept, repeated := study.Distinct(v.GetSlice(), strings.TrimSpace)
			note(f, repeated)
			if err := v.Replace(kept); err != nil {
				panic(err) // the texts have been taken before
			}
		}
	})
	return notes
}
