package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/selector"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports/views"
	"breadboard/toys"
)

// explainMistakes makes a command, and all commands below it, say what to do where arguments or
// flags are wrong. The words are those of the command line.
func explainMistakes(c *cobra.Command, words []string) {
	valid := c.Args
	c.Args = func(c *cobra.Command, args []string) error {
		err := valid(c, args)
		if err == nil {
			return nil
		}
		if listed := listMistake(c, words, args); listed != nil {
			return listed
		}
		return argumentMistake(c, args, err)
	}
	c.SetFlagErrorFunc(flagMistake)
	for _, sub := range c.Commands() {
		explainMistakes(sub, words)
	}
}

// argumentMistake returns an error that says what is wrong with the arguments of a command, and
// what to do, if more can be said than the given error does.
func argumentMistake(c *cobra.Command, args []string, err error) error {
	switch {
	case len(args) == 0:
		example, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n")
		return fmt.Errorf("nothing is named; write %s, as in %s", strings.TrimSuffix(c.UseLine(), " [flags]"), example)
	case c.HasSubCommands():
		advice := ""
		if known := meant(c, args[0]); known != "" {
			advice = known + ". "
		} else if near := namesNear(c, args[0]); len(near) > 0 {
			advice = fmt.Sprintf("did you mean %s? ", strings.Join(near, " or "))
		}
		return fmt.Errorf("unknown command %q for %s; %s%s --help lists them", args[0], c.CommandPath(), advice, c.CommandPath())
	case slices.Contains([]string{"sbc", "power"}, c.Name()) && strings.HasPrefix(args[0], "exec:"):
		return fmt.Errorf("%s has models of breadboard; for yours, breadboard conform posterior %q is exact, and its --table tests has SBC, Geweke's test and the rank test", c.CommandPath(), args[0])
	case c.Flags().Lookup("toy") != nil && toys.Forms().Listing.Named(args[0]):
		return fmt.Errorf("%s takes no arguments; did you mean --toy %s?", c.CommandPath(), args[0])
	case c.Flags().Lookup("toy") != nil && slices.Contains([]string{".npy", ".csv"}, strings.ToLower(filepath.Ext(args[0]))):
		return fmt.Errorf("%s takes no arguments; did you mean --toy file:%s?", c.CommandPath(), args[0])
	case c.Flags().Lookup("toy") != nil && !strings.Contains(c.Use, " ") && toys.Forms().Listing.Meant(args[0]) != "":
		return fmt.Errorf("%s takes no arguments, and targets by --toy; %s", c.CommandPath(), toys.Forms().Listing.Meant(args[0]))
	}
	use := strings.TrimSuffix(c.UseLine(), " [flags]")
	switch {
	case !strings.Contains(err.Error(), "arg(s)") && !strings.HasPrefix(err.Error(), "unknown command"): // it is not cobra's
		return err
	case use == c.CommandPath():
		return fmt.Errorf("%s takes no arguments, such as %s; %s --help lists its flags", use, args[0], use)
	}
	return fmt.Errorf("%s, %s; write %s, and give the rest by the flags that %s --help lists", selector.Count(len(args), "argument"),
		strings.Join(args[:min(len(args), 2)], ", "), use, c.CommandPath())
}

// namesNear returns the command below c, and the topic of help, whose names are nearest to a
// mistyped one.
func namesNear(c *cobra.Command, word string) (names []string) {
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(word); len(near) > 0 {
		names = append(names, near[0])
	}
	if c.HasParent() { // only the program itself has topics
		return names
	}
	if near := topicsNear(word); len(near) > 0 {
		names = append(names, near[0])
	}
	return names
}

// listMistake returns the error for arguments that are further values of a list, which stand behind
// its flag with commas between them, and nil if no list stands in front of the first one among the
// words of the command line.
func listMistake(c *cobra.Command, words, args []string) error {
	if len(args) == 0 {
		return nil
	}
	at := slices.Index(words, args[0])
	if at < 1 {
		return nil
	}
	word, given, joined := strings.Cut(words[at-1], "=")
	if !joined && at > 1 {
		word, given = words[at-2], words[at-1]
	}
	name := strings.TrimLeft(word, "-")
	f := c.Flags().Lookup(name)
	if f == nil && len(name) == 1 {
		f = c.Flags().ShorthandLookup(name)
	}
	if f == nil || name == word || f.Value.Type() != "stringSlice" && !strings.HasSuffix(f.Value.Type(), ",...") {
		return nil
	}
	return fmt.Errorf("%s stands alone; a list has commas between its values and no spaces: write %s %s,%s", args[0], word, given, strings.Join(args, ","))
}

// flagMistake returns an error that suggests the flag that was meant.
func flagMistake(c *cobra.Command, err error) error {
	if again, is := errors.AsType[givenTwice](err); is {
		return again
	}
	if bare, is := errors.AsType[*pflag.ValueRequiredError](err); is {
		return fmt.Errorf("%s needs a value, and has none", dashed(bare.GetFlag()))
	}
	if invalid, is := errors.AsType[*pflag.InvalidValueError](err); is {
		return invalidValue(invalid)
	}
	unknown, is := errors.AsType[*pflag.NotExistError](err)
	if !is {
		return err
	}
	if args := c.Flags().Args(); c.HasSubCommands() && len(args) > 0 { // the flag is that of a command which there is not
		return argumentMistake(c, args, err)
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if short := shortName(f); short != f.Name {
			names = append(names, "-"+short)
		}
		names = append(names, "--"+f.Name)
	})
	given := "--" + unknown.GetSpecifiedName()
	if len(unknown.GetSpecifiedName()) == 1 {
		given = given[1:]
	}
	switch {
	case given == "--until":
		return noUntil(c)
	case given == "--quick":
		return errors.New("unknown flag --quick; what a command computes by default takes about three seconds")
	case renamed(c, given) != nil:
		return fmt.Errorf("unknown flag %q; did you mean %s?", given, dashed(renamed(c, given)))
	case given == "--hmm" && c.Flags().Lookup("toy") != nil:
		return errors.New("unknown flag --hmm; a hidden Markov model is a target here: write --toy hmm:FILE")
	}
	return selector.UnknownError("flag", given, names)
}

// invalidValue says what a flag takes, in place of an error of package strconv or time.
func invalidValue(err *pflag.InvalidValueError) error {
	value := err.GetValue()
	if value == "" || strings.ContainsAny(value, " \t\n") {
		value = strconv.Quote(value)
	}
	takes := map[string]string{"duration": "a number and its unit, such as 90s, 10m or 2h"}[err.GetFlag().Value.Type()]
	if number, is := errors.AsType[*strconv.NumError](err); is {
		takes = map[string]string{"ParseInt": "a whole number", "ParseFloat": "a number", "ParseBool": "true or false, or the flag alone"}[number.Func]
	}
	if takes == "" {
		return fmt.Errorf("%s %s: %w", dashed(err.GetFlag()), value, err.Unwrap())
	}
	return fmt.Errorf("%s %s: write %s", dashed(err.GetFlag()), value, takes)
}

// plainly returns the text of an error, with the name of a file and what is wrong with it in place
// of the name of the operation that failed.
func plainly(err error, text string) string {
	file, is := errors.AsType[*fs.PathError](err)
	if !is || file.Path == "" {
		return text
	}
	why := file.Err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		why = "no such file"
	}
	return strings.ReplaceAll(text, file.Error(), file.Path+": "+why)
}

// renamed returns the flag of a command that people or version 0.1.0 call otherwise; nil if there
// is none.
func renamed(c *cobra.Command, given string) *pflag.Flag {
	for _, name := range strings.Fields(map[string]string{
		"burn": "warmup", "burnin": "warmup", "burn-in": "warmup", "data-sets": "datasets", "kernels": "kernel", "schedules": "schedule",
		"base": "base-chain", "best": "rows", "budget": "time work", "by": "objective", "chains": "most", "claim": "id", "draws": "quantity most",
		"most-T": "most", "most-runs": "most", "moves": "transitions", "over": "vary", "repeats": "splits", "runs": "chains", "seconds": "time",
		"trials": "chains", "within": "time", "z": "log-z",
	}[strings.TrimLeft(given, "-")]) {
		if f := c.Flags().Lookup(name); f != nil {
			return f
		}
	}
	return nil
}

// noUntil says which commands look for a size, where another one is asked to.
func noUntil(c *cobra.Command) error {
	why := "unknown flag --until"
	if strings.HasPrefix(commandName(c), "sweep") {
		why = sweep.NoUntil
	}
	var with []string
	for _, s := range views.Catalogue() {
		if s.Size != nil {
			with = append(with, s.Name)
		}
	}
	return fmt.Errorf("%s; --until is a flag of %s", why, strings.Join(with, ", "))
}

// byLetter takes the letter of a flag for its name, so that --T is -T.
func byLetter(all *pflag.FlagSet, name string) pflag.NormalizedName {
	if len(name) == 1 {
		if f := all.ShorthandLookup(name); f != nil {
			name = f.Name
		}
	}
	return pflag.NormalizedName(name)
}

// exclude makes a command refuse a flag beside any of some others, and says which two were given.
// Completion does not offer them either.
func exclude(c *cobra.Command, flag string, others ...string) {
	for _, other := range others {
		c.MarkFlagsMutuallyExclusive(flag, other)
	}
	before(c, func() error {
		for _, other := range others {
			if c.Flags().Changed(flag) && c.Flags().Changed(other) {
				return fmt.Errorf("--%s and --%s are both given, and only one of them may be; leave one out", flag, other)
			}
		}
		return nil
	})
}

// onceEach takes out of the lists that flags hold what they hold twice, and returns a note about
// each. A list of columns is left as it is: their places count.
func (a *app) onceEach(c *cobra.Command) (notes []string) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Changed || f.Name == "columns" {
			return
		}
		switch v := f.Value.(type) {
		case interface{ Repeated() []string }:
			for _, text := range v.Repeated() {
				notes = append(notes, twice(f, text))
			}
		case pflag.SliceValue:
			if v := f.Value.(pflag.SliceValue); f.Value.Type() == "stringSlice" {
				kept, repeated := study.Distinct(v.GetSlice(), strings.TrimSpace)
				for _, text := range repeated {
					notes = append(notes, twice(f, text))
				}
				if f.Name == "toy" {
					var again []string
					kept, again = a.distinctToys(kept)
					notes = append(notes, again...)
				}
				if err := v.Replace(kept); err != nil {
					panic(err) // the texts have been taken before
				}
			}
		}
	})
	return notes
}

// twice says that a value is given twice.
func twice(f *pflag.Flag, text string) string {
	return dashed(f) + " " + text + " is given twice; it is done once"
}

// dashed returns a flag as people write it: -T for --distributions.
func dashed(f *pflag.Flag) string {
	if s := shortName(f); s != f.Name {
		return "-" + s
	}
	return "--" + f.Name
}

// givenTwice is the error of a flag that takes one value and is given two.
type givenTwice struct {
	flag          *pflag.Flag
	first, second string
}

func (e givenTwice) Error() string {
	if e.first == e.second {
		return dashed(e.flag) + " is given twice; give it once"
	}
	return fmt.Sprintf("%s is given twice, %s and %s; give it once", dashed(e.flag), e.first, e.second)
}

// once is a flag that takes one value, and refuses a second one, by which the first would be lost
// without a word.
type once struct {
	pflag.Value
	flag  *pflag.Flag
	first *string // as it was written; nil before it is given
}

func (v *once) Set(text string) error {
	if v.first != nil {
		return givenTwice{v.flag, *v.first, text}
	}
	err := v.Value.Set(text)
	if err == nil {
		v.first = &text
	}
	return err
}

// lined is a list in one line of CSV. What is behind a line break would be lost without a word.
type lined struct{ slice }

type slice interface {
	pflag.Value
	pflag.SliceValue
}

func (v lined) Set(text string) error {
	in := csv.NewReader(strings.NewReader(text))
	in.FieldsPerRecord = -1
	if lines, err := in.ReadAll(); err == nil && len(lines) > 1 {
		return errors.New("a line break ends the list; write commas, and quote what has a line break in it")
	}
	return v.slice.Set(text)
}

// addsUp reports whether a flag is a list, to which repeating the flag adds.
func addsUp(f *pflag.Flag) bool {
	_, list := f.Value.(pflag.SliceValue)
	return list || strings.HasSuffix(f.Value.Type(), "...")
}

// giveOnce has the flags of a command, and of all commands below it, refuse to be given twice,
// apart from those that add up. It also explains them.
func giveOnce(c *cobra.Command) {
	c.InitDefaultHelpFlag()
	give := func(f *pflag.Flag) {
		explain(f)
		_, single := f.Value.(*once)
		_, list := f.Value.(lined)
		switch {
		case single || list: // a flag of all commands
		case addsUp(f):
			if _, lines := f.Value.(*toyList); !lines && f.Value.Type() == "stringSlice" {
				f.Value = lined{f.Value.(slice)}
				if f.DefValue == "[]" { // which package pflag knows to be none for its own lists alone
					f.DefValue = ""
				}
			}
		default:
			f.Value = &once{Value: f.Value, flag: f}
		}
	}
	c.Flags().VisitAll(give)
	c.PersistentFlags().VisitAll(give)
	for _, below := range c.Commands() {
		giveOnce(below)
	}
}

// distinctToys leaves out toys that are other spellings of toys before them, and returns a note
// about each. Toys are parsed only if two have a form in common and the list is not long, and what
// cannot be parsed is left for the study to refuse.
func (a *app) distinctToys(list []string) (kept, notes []string) {
	form := func(toy string) string { name, _, _ := strings.Cut(strings.TrimSpace(toy), ":"); return name }
	common := map[string]int{}
	for _, toy := range list {
		common[form(toy)]++
	}
	first := map[string]string{} // the spelling that stands first, by the toy's own name
	for _, toy := range list {
		name := toy
		if common[form(toy)] > 1 && len(list) <= maxSpelled {
			name = a.nameOfToy(toy)
		}
		if before, again := first[name]; again {
			notes = append(notes, "--toy "+toy+" is "+before+" again; it is done once")
			continue
		}
		first[name] = toy
		kept = append(kept, toy)
	}
	return kept, notes
}

// maxSpelled bounds the length of lists of toys whose spellings are compared, which takes parsing
// them once more.
const maxSpelled = 100

// nameOfToy returns the name that a toy gives itself, in which the path of a file has its shortest
// form, and the selector if it cannot be parsed.
func (a *app) nameOfToy(toy string) string {
	toy = strings.TrimSpace(toy)
	if files := sweep.FilesOf(toy); len(files) > 0 {
		for _, path := range files {
			toy = strings.Replace(toy, path, filepath.Clean(path), 1)
		}
		return toy
	}
	parsed, err := subject.ParseToy(a.ctx, toy)
	if err != nil {
		return toy
	}
	return parsed.Name
}

// inFlags returns the flag, or the command, for an option of the libraries. The messages of the
// libraries name options, and inFlags turns these into flags.
func inFlags(option string) string {
	switch option {
	case "T", "N":
		return "-" + option
	case "verbose":
		return "-v"
	case "npy":
		return " with --out DIR"
	case "kernel check":
		return "breadboard kernel check and --beta"
	case "toys export":
		return "breadboard toys export --out DIR"
	case "schedule optimize":
		return "breadboard schedule optimize --out DIR"
	case "sweep run":
		return "breadboard sweep run SPEC --out"
	}
	return "--" + option
}
