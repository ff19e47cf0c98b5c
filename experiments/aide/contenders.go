package aide

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/exact/smc"
)

// MaxCompared is the largest number of particles, or of moves, of an algorithm in a comparison.
const MaxCompared = 1_000_000

// withScans is what stands behind the number of particles in the selector of a gold standard with a Gibbs scan after each step.
const withScans = "scans"

// contender is one algorithm of a study.
type contender struct {
	algorithm  string
	particles  int
	rejuvenate bool
	// law returns what is known exactly; its side is nil where nothing is, and its notes then say why.
	law func(ctx context.Context, workers int) (*Law, error)
	// sampled returns the algorithm, for one goroutine.
	sampled func() (particle.Algorithm, error)
	// estimatesZ says whether xi is p~/Zhat with a Zhat by which the algorithm is judged.
	estimatesZ bool
}

// family are the contenders of a study that differ in their numbers of particles alone.
type family struct {
	algorithm  string
	rejuvenate bool
	counts     []int // the numbers of particles, or of moves, where no others are asked for; nil for an algorithm that has none
	with       func(particles int) (contender, error)
}

// selector returns what selects the family as a gold standard, with a number of particles.
func (f *family) selector(particles string) string {
	text := f.algorithm
	if f.counts != nil {
		text += ":" + particles
	}
	if f.rejuvenate {
		text += ":" + withScans
	}
	return text
}

// contenders returns the algorithms that are asked for, by default all.
func (s *Comparison) contenders(o *ComparisonOptions) (list []contender, err error) {
	var names []string
	for _, f := range s.all {
		if !slices.Contains(names, f.algorithm) {
			names = append(names, f.algorithm)
		}
	}
	for _, name := range o.Proposals {
		if !slices.Contains(names, name) {
			return nil, selector.UnknownError("proposal of the study "+s.study, name, names)
		}
	}
	for _, f := range s.all {
		if len(o.Proposals) > 0 && !slices.Contains(o.Proposals, f.algorithm) {
			continue
		}
		counts := f.counts
		switch {
		case counts == nil:
			counts = []int{0}
		case len(o.Particles) > 0:
			counts = o.Particles
		}
		for _, n := range counts {
			if f.counts != nil && (n < 1 || n > MaxCompared) {
				return nil, chains.NewAdvice("{particles} %d; give whole numbers from 1 to %.0e", n, float64(MaxCompared))
			}
			c, err := f.with(n)
			if err != nil {
				return nil, err
			}
			list = append(list, c)
		}
	}
	return list, nil
}

// standard is a gold standard with what is known of it.
type standard struct {
	contender
	name    string // the selector in canonical form
	counted bool   // whether the outputs are counted one by one, without which no law is known
	law     *Law   // after solve
}

// standards returns the gold standards of some selectors, each once, and the study's own where there is none.
func (s *Comparison) standards(selectors []string) (list []*standard, err error) {
	if len(selectors) == 0 {
		selectors = []string{s.own}
	}
	for _, text := range selectors {
		g, err := s.standard(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(list, func(other *standard) bool { return other.name == g.name }) {
			list = append(list, g)
		}
	}
	return list, nil
}

// standard returns the gold standard of a selector: exact, or an algorithm of the study with its number of particles, as optimal:1000.
func (s *Comparison) standard(text string) (*standard, error) {
	if text == string(Exact) {
		return s.posteriorGold()
	}
	name, rest, _ := strings.Cut(text, ":")
	count, behind, scans := strings.Cut(rest, ":")
	known := []string{string(Exact)}
	for _, f := range s.all {
		known = append(known, f.selector("P"))
		if f.algorithm != name || f.rejuvenate != scans || scans && behind != withScans || f.counts == nil && rest != "" {
			continue
		}
		n, err := 0, error(nil)
		if f.counts != nil {
			if count == "" {
				return nil, chains.NewAdvice("{gold} %s; give its number of particles, as in %s", text, f.selector("100"))
			}
			if n, err = selector.ParseWhole(count, 1, MaxCompared); err != nil {
				return nil, chains.NewAdvice("{gold} %s: the number of particles: %w", text, err)
			}
		}
		c, err := f.with(n)
		return &standard{contender: c, name: f.selector(strconv.Itoa(n)), counted: s.p != nil}, err
	}
	return nil, selector.UnknownError("gold standard of the study "+s.study, text, known)
}

// posteriorGold returns the gold standard that draws from the posterior itself.
func (s *Comparison) posteriorGold() (*standard, error) {
	if s.p == nil {
		return nil, chains.NewAdvice("{gold} %s: %s; leave it out for %s", Exact, s.why, s.own)
	}
	return &standard{name: string(Exact), counted: true, contender: contender{
		law: func(context.Context, int) (*Law, error) {
			return &Law{Side: smc.NewExact(len(s.p)), Method: methodDensity}, nil
		},
		sampled: func() (particle.Algorithm, error) {
			logp := make([]float64, len(s.p))
			for x, v := range s.p {
				logp[x] = math.Log(v)
			}
			return particle.NewDensity(logp), nil
		},
	}}, nil
}

// solve finds what is known of the gold standard.
func (g *standard) solve(ctx context.Context, workers int) (err error) {
	if g.law = (&Law{Method: MethodNone}); g.counted {
		g.law, err = g.contender.law(ctx, workers)
	}
	return err
}

// notes says why no law of the gold standard is known, where it is not.
func (g *standard) notes() (notes []string) {
	if g.law.Side != nil {
		return nil
	}
	for _, n := range g.law.Notes {
		notes = append(notes, "gold "+g.name+": "+n)
	}
	return notes
}
