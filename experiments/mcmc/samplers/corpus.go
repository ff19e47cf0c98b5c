package samplers

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// Corpus is a list of targets for a benchmark.
type Corpus struct {
	Name    string
	Targets []string // the selectors of the targets, for toys.Forms.Parse
}

const (
	maxCorpusFile = 1 << 20 // bytes of a file of a corpus
	maxTargets    = 10_000  // of a corpus
	maxTarget     = 1000    // bytes of a selector of a target
	corpusEnding  = ".toml" // of the name of a file of a corpus
)

// corpusSyntaxes say how corpora are selected, as help and errors list them.
func corpusSyntaxes() []string { return []string{"small", "standard", "FILE" + corpusEnding} }

// ReadCorpus returns the corpus of a selector: small, ten targets; standard, a hundred; or the path
// of a TOML file for DecodeCorpus. Paths within the file are relative to the working directory, as
// on the command line.
func ReadCorpus(text string) (*Corpus, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "small":
		return &Corpus{text, small()}, nil
	case text == "standard":
		return &Corpus{text, standard()}, nil
	case !strings.HasSuffix(strings.ToLower(text), corpusEnding):
		return nil, selector.UnknownError("corpus", text, corpusSyntaxes())
	}
	data, err := selector.ReadFile(text, maxCorpusFile)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	c, err := DecodeCorpus(data)
	if err != nil {
		return nil, fmt.Errorf("corpus %s: %w", text, err)
	}
	if c.Name == "" {
		c.Name = text
	}
	return c, nil
}

// small returns the targets of the corpus of that name: the paper's three, six random grids and a
// model of spins.
func small() []string {
	targets := []string{"easy", "hard", "barrier"}
	for _, sigma := range []string{"2", "5"} {
		for _, seed := range []string{"1", "2", "3"} {
			targets = append(targets, "random:"+sigma+":"+seed+":5x5")
		}
	}
	return append(targets, "ising:2x3:0.4")
}

// standard returns the targets of the corpus of that name: 80 random fields by sigma, passes of the
// filter and seed, five barriers, Ising's model for six couplings, the eight schools on three
// grids, and six mixtures. The largest has 81 states.
func standard() (targets []string) {
	for _, sigma := range []string{"0.5", "1", "2", "5", "10"} {
		for passes := range 4 {
			for seed := 1; seed <= 4; seed++ {
				if passes == 0 {
					targets = append(targets, fmt.Sprintf("random:%s:%d:5x5", sigma, seed))
				} else {
					targets = append(targets, fmt.Sprintf("smooth:%s:%d:%d:5x5", sigma, seed, passes))
				}
			}
		}
	}
	return append(targets,
		"barrier:5x5", "barrier:5x7", "barrier", "barrier:7x9", "barrier:9x9",
		"ising:2x3:0.1", "ising:2x3:0.2", "ising:2x3:0.3", "ising:2x3:0.4", "ising:2x3:0.6", "ising:2x3:0.8",
		"schools:5x5", "schools:7x7", "schools:9x9",
		"mixture:0.5*random:1:1:5x5+0.5*random:5:1:5x5",
		"mixture:0.5*random:5:1:5x5+0.5*random:5:2:5x5",
		"mixture:0.9*random:5:1:5x5+0.1*random:5:2:5x5",
		"mixture:0.99*random:5:1:5x5+0.01*random:5:2:5x5",
		"mixture:0.5*barrier:5x5+0.5*smooth:5:1:1:5x5",
		"mixture:0.9*barrier:5x5+0.1*random:10:1:5x5",
	)
}

// DecodeCorpus reads a corpus from TOML:
//
//	name = "hills"                                        # optional
//	targets = ["easy", "random:2:{0..9}", "file:my.csv"]  # selectors, as on the command line, with ranges
//
// It fails for other keys, for an empty list and for two equal selectors. Corpus.Load checks the
// selectors themselves.
func DecodeCorpus(text []byte) (*Corpus, error) {
	var keys map[string]any
	if err := selector.DecodeTOML(text, &keys); err != nil {
		return nil, err
	}
	known := []string{"targets", "name"}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !slices.Contains(known, key) {
			return nil, selector.UnknownError("key", selector.Cut(key), known)
		}
	}
	c := &Corpus{}
	if name, given := keys["name"]; given {
		var ok bool
		c.Name, ok = name.(string)
		if !ok || !printable(c.Name) || c.Name == "" {
			return nil, errs.New(`name is not a text of one line; write it in quotes, as in name = "hills"`)
		}
	}
	list, ok := keys["targets"].([]any)
	switch {
	case keys["targets"] == nil:
		return nil, errs.New(`there are no targets; give a list of them, as in targets = ["easy", "random:2:7"]`)
	case !ok:
		return nil, errs.New(
			`targets is not a list; write the selectors between brackets, as in targets = ["easy", "random:2:7"]`,
		)
	case len(list) == 0:
		return nil, errs.New("the list of targets is empty; give one or more")
	case len(list) > maxTargets:
		return nil, errs.New("there are %d targets, and the limit is %d; split the corpus", len(list), maxTargets)
	}
	places := map[string]int{}
	for i, v := range list {
		target, err := targetText(v)
		var targets []string
		if err == nil {
			targets, err = selector.ExpandRanges([]string{target}, maxTargets)
		}
		if err == nil && len(targets) > maxTargets-len(c.Targets) {
			err = errs.New("%s: with the ranges there are more than %d targets; split the corpus",
				selector.Cut(target), maxTargets)
		}
		if err != nil {
			return nil, fmt.Errorf("target %d: %w", i+1, err)
		}
		for _, target := range targets {
			if first, double := places[target]; double {
				return nil, errs.New("target %d, %s, is the same as target %d; name each once", i+1, target, first)
			}
			places[target] = i + 1
		}
		c.Targets = append(c.Targets, targets...)
	}
	return c, nil
}

// targetText returns the selector that an entry of the list is.
func targetText(v any) (string, error) {
	text, ok := v.(string)
	if !ok {
		return "", errs.New("%s is not a text; write a selector in quotes", selector.Cut(fmt.Sprint(v)))
	}
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", errs.New("it is empty; give a selector of a target, or delete it")
	case len(text) > maxTarget:
		return "", errs.New("a selector of %d bytes; the limit is %d", len(text), maxTarget)
	case !printable(text):
		return "", fmt.Errorf("%q has a line break or another control character in it", selector.Cut(text))
	}
	return text, nil
}

// printable reports whether a text is one line of valid characters.
func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// Load returns the toys of the targets. It fails if a selector is wrong, if two name the same
// target, and if the context ends.
func (c *Corpus) Load(ctx context.Context, in subject.Reader) ([]*toys.Toy, error) {
	targets, err := loadTargets(ctx, in, c.Targets)
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("corpus %s: %w", c.Name, err)
	}
	return targets, err
}

// loadTargets returns the toys of selectors, which name each target once, in whatever words. If
// some cannot be read it returns the others, with the error subject.Failures.
func loadTargets(ctx context.Context, in subject.Reader,
	selectors []string) (targets []*toys.Toy, err error) {
	var failed subject.Failures
	places := map[string]string{}
	err = subject.EachToy(ctx, selectors, in.ReadToy, &failed, func(text string, toy *toys.Toy) error {
		if first, double := places[toy.Name]; double {
			return errs.New("the target %s is named twice, as %s and as %s; name each once", toy.Name, first, text)
		}
		if i := slices.IndexFunc(targets, toy.SameTarget); i >= 0 {
			return errs.New("the targets %s and %s are the same, state by state; name one of them",
				targets[i].Name, toy.Name)
		}
		places[toy.Name] = text
		targets = append(targets, toy)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return targets, failed.OrNil()
}
