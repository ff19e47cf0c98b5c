package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/experiments"
	"breadboard/grid"
	"breadboard/toys"
)

// A question that is refused for its size ends with the nearest command line that is not. Command lines are tried: the program accepts or
// refuses each as it would, and stops before it answers.

// nearest returns what an error of a command ends with: the nearest command line that is accepted, and about how long it takes. It is empty for an
// error that is not of size, and where none is known.
func (a *app) nearest(c *cobra.Command, err error) string {
	large, is := errors.AsType[grid.TooLarge](err)
	programs := slices.ContainsFunc(a.args, func(w string) bool { return strings.Contains(w, "exec:") }) // which would be started anew
	if !is || programs {
		return ""
	}
	for _, one := range (question{a, c, large}).others() {
		t := a.fitted(one, large.Most)
		if t.err != nil || t.slow() {
			continue
		}
		line := "breadboard"
		for _, w := range t.words {
			line += " " + selector.ShellQuote(w)
		}
		return fmt.Sprintf(". %s, in %s: %s", one.what, inWords(t.setup+t.seconds), line)
	}
	return ""
}

// question is a command line that is refused, since something is too large.
type question struct {
	app     *app
	command *cobra.Command
	large   grid.TooLarge
}

// other is another command line, and what it answers.
type other struct {
	words []string
	what  string
	less  bool // it is the question itself with less of something
}

// lessOfIt is what the question itself answers with less of something.
const lessOfIt = "Less of it fits"

// others returns the command lines to try, the nearest first.
func (q question) others() (list []other) {
	add := func(what string, words []string) {
		if words != nil {
			list = append(list, other{words, what, what == lessOfIt})
		}
	}
	words, flags := q.app.args, q.command.Flags()
	laws := commandName(q.command) == "samplers laws"
	if kernel := flags.Lookup("kernel"); laws && !kernel.Changed {
		words = with(words, kernel, "metropolis") // of the two that it takes by default the one whose laws take less
	}
	quotient, toy, annealed := flags.Lookup("quotient"), q.toy(), flags.Lookup("distributions") != nil
	most := float64(mostWithRows)
	if annealed {
		most = mostTried
	}
	// A trial shows what a study refuses before it answers, and whether rows fit.
	studied := quotient != nil && (!q.app.output.opened || q.large.What == "entries" || q.large.What == "edges")
	classes := studied && !quotient.Changed && (!laws || flags.Lookup("function").Changed) // else laws would choose another function there
	if classes && (annealed || toys.DemandOf(toy).States <= most) {
		add("The same on classes of its states fits", with(words, quotient, "auto"))
	}
	if elimination := byElimination(toy); q.large.What == "states" {
		if elimination != nil && annealed {
			add("Chains on its factors bracket the exact log Z", []string{"ais", "--toy", toy, "--kernel", "heatbath-scan", "--chains", "1000", "-T", "100"})
		}
		add("Log Z and the laws of single variables come without a list of states", elimination)
	}
	if studied && q.large.Option != "" {
		add(lessOfIt, q.withMost(words))
	}
	add(q.asked(words, toy))
	if classes && annealed && strings.HasPrefix(toy, "ising:") && !strings.HasSuffix(toy, ":torus") {
		add("On a torus, the classes of its states fit", with(with(words, flags.Lookup("toy"), toy+":torus"), quotient, "auto"))
	}
	for smaller := lessened(toy); studied && smaller != ""; smaller = lessened(smaller) {
		if toys.DemandOf(smaller).States <= most {
			add("A smaller one fits", with(words, flags.Lookup("toy"), smaller))
		}
	}
	return list
}

// toy returns the toy of the question, and "" where it is not of one alone.
func (q question) toy() string {
	flag := q.command.Flags().Lookup("toy")
	if flag == nil {
		return ""
	}
	several, is := flag.Value.(pflag.SliceValue)
	if !is {
		return flag.Value.String()
	}
	if list := several.GetSlice(); len(list) == 1 {
		return list[0]
	}
	return ""
}

// byElimination returns the command line that has log Z and the laws of the variables of a toy without listing its states, and nil where the toy is no product of
// factors, or one of too large tables.
func byElimination(toy string) []string {
	if toy == "" {
		return nil
	}
	if q, _, err := toys.Factored(toy, "", ""); err != nil || q.Fits() != nil {
		return nil
	}
	return []string{"network", toy}
}

// asked returns what another command answers about the same toy, for commands whose own answer takes more than that. Its words are nil where there is none.
func (q question) asked(given []string, toy string) (what string, words []string) {
	flags := q.command.Flags()
	switch name := commandName(q.command); {
	case strings.HasPrefix(name, "couple") && flags.Lookup("quotient") != nil:
		words = []string{"samplers", "times"}
		for _, flag := range []string{"toy", "kernel", "quotient"} {
			own, _, _ := cut(given, flags.Lookup(flag))
			words = append(words, own...)
		}
		return "How long each chain alone takes to forget its start is known", words
	case name == "kernel check" && toy != "":
		return "J and B by this kernel are known", []string{"tightness", "--toy", toy, "--kernel", flags.Arg(0), "-T", "10"}
	case name == "samplers laws" && toy != "":
		t, err := toys.Parse(toy)
		if err != nil || t.Lattice() == nil {
			return "", nil
		}
		indicator := fmt.Sprintf("x0<=%d", t.Lattice().Side(0)/2-1)
		return "The law of an indicator fits", with(given, flags.Lookup("function"), indicator)
	}
	return "", nil
}

// lessened returns a toy on a grid whose longest side is shorter by one, down to two. It returns "" for another toy.
func lessened(toy string) string {
	sides := regexp.MustCompile(`\d+(x\d+)+`).FindStringIndex(toy)
	if sides == nil {
		return ""
	}
	list, err := grid.ParseSides(toy[sides[0]:sides[1]])
	longest := slices.Index(list, slices.Max(list))
	if err != nil || list[longest] <= 2 {
		return ""
	}
	list[longest]--
	return toy[:sides[0]] + strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", "x"), "[]") + toy[sides[1]:]
}

// cut divides words into those that give a flag and the others, and says how many of these stand in front.
func cut(words []string, f *pflag.Flag) (own, others []string, at int) {
	at = -1
	for i := 0; i < len(words); i++ {
		w := words[i]
		n := 0 // how many words give it here
		switch {
		case w == "--"+f.Name || f.Shorthand != "" && w == "-"+f.Shorthand:
			n = min(2, len(words)-i)
		case strings.HasPrefix(w, "--"+f.Name+"="), f.Shorthand != "" && strings.HasPrefix(w, "-"+f.Shorthand):
			n = 1
		}
		if n == 0 {
			others = append(others, w)
			continue
		}
		if at < 0 {
			at = len(others)
		}
		own, i = append(own, words[i:i+n]...), i+n-1
	}
	if at < 0 {
		at = len(others)
	}
	return own, others, at
}

// with returns words that give a flag this value, where they gave another one or else at their end.
func with(words []string, f *pflag.Flag, value string) []string {
	_, others, at := cut(words, f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand
	}
	return slices.Insert(others, at, name, value)
}

// withMost returns words that give the option that makes something too large the largest value that does not, and nil where that is too small to be
// of use.
func (q question) withMost(words []string) []string {
	f := q.command.Flags().ShorthandLookup(q.large.Option)
	if f == nil || q.large.Option == "N" && q.large.Most < leastSamples {
		return nil
	}
	return with(words, f, strconv.Itoa(q.large.Most))
}

// leastSamples is the least number of samples whose law is offered in place of that of more.
const leastSamples = 10

// patience is how many seconds a command line that is offered may take.
const patience = 100.0

// mostLessened is how often a command line is tried with less. It may be too large in several ways, of which a refusal names one.
const mostLessened = 8

// fitted tries a command line, also with less of what it is refused for, and with ten distributions where it takes too long. What is not the question
// with less of it must have more of it than most, which that can have.
func (a *app) fitted(o other, most int) tried {
	t := a.try(o.words)
	for range mostLessened {
		large, is := errors.AsType[grid.TooLarge](t.err)
		if !is || large.Option == "" || !o.less && large.Most <= most {
			break
		}
		less := question{a, t.command, large}.withMost(t.words)
		if less == nil {
			break
		}
		t = a.try(less)
	}
	if T := t.command.Flags().Lookup("distributions"); t.slow() && T != nil {
		t = a.try(with(t.words, T, "10"))
	}
	if N := t.command.Flags().ShorthandLookup("N"); t.slow() && N != nil { // its time grows as the square
		n, _ := strconv.ParseFloat(lastOf(N), 64)
		t = a.try(with(t.words, N, fmt.Sprintf("%.0f", 0.9*n*math.Sqrt(patience/t.seconds))))
	}
	return t
}

// tried is a command line that has been tried.
type tried struct {
	words   []string
	command *cobra.Command
	err     error   // why it is refused; nil where it is accepted
	seconds float64 // that it is reckoned to take from there on
	setup   float64 // the seconds until then
}

// slow reports whether it takes too long to be offered, as it may where nobody knows how long.
func (t tried) slow() bool { return t.err == nil && !(t.seconds <= patience) }

// trial is a run of a command that ends where its question is accepted.
type trial struct{ on any } // what the question is about, as []experiments.Case

// errAccepted ends a trial.
var errAccepted = errors.New("the question is accepted")

// mostTried is the largest number of states of a smaller toy that is made for a trial, and mostWithRows that of a toy of which a trial makes the rows
// of every kernel too, as studies of Markov chains do before they accept a question.
const (
	mostTried    = 1 << 16
	mostWithRows = 1 << 10
)

// try runs words until their question is accepted or refused.
func (a *app) try(words []string) tried {
	start := a.now()
	t := newApp(a.ctx, words, io.Discard, io.Discard, &leftovers{})
	defer t.programs.Close()
	t.stdin, t.catalogue, t.output.trial = strings.NewReader(""), a.catalogue, &trial{}
	root := t.rootCommand()
	root.SetArgs(words)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	c, err := root.ExecuteContextC(t.ctx)
	if !errors.Is(err, errAccepted) {
		return tried{words: words, command: c, err: cmp.Or(err, errors.New("it asks no question"))}
	}
	cases, _ := t.output.trial.on.([]experiments.Case)
	for i := range cases {
		if err := rowsFit(&cases[i]); err != nil {
			return tried{words: words, command: c, err: err}
		}
	}
	return tried{words, c, nil, a.seconds(c, t.output.trial.on), a.now().Sub(start).Seconds()}
}

// rowsFit fails where the rows of the kernel of a case are needed, and take too much memory.
func rowsFit(c *experiments.Case) error {
	a := c.Annealing()
	if a == nil || a.Kernel() == nil || exact.WorkOf(a.Kernel(), c.Toy.Space).Method != exact.MethodGeneral {
		return nil
	}
	return kernel.CheckRows(a.Kernel(), c.Toy.G)
}

// open opens the output, for a command that has accepted a question about these subjects, and not about those that have failed.
func (a *app) open(on any, failed experiments.Failures) error {
	if a.output.trial != nil {
		a.output.trial.on = on
		if err := failed.OrNil(); err != nil {
			return err
		}
	}
	return a.output.open(a.leftovers)
}
