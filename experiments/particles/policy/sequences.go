package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/numpy"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/exact/policies"
	"breadboard/toys"
	"breadboard/toys/models"
)

// baseChain is p_0, the chain of sequences.
type baseChain struct {
	pi     []float64
	a      [][]float64
	hmm    *particle.HMM // whose observations are a part of the potential; nil if there are none
	scaled float64       // the largest distance of the sum of a row from one before it was divided by it
}

type chainForm = selector.Form[int, *baseChain]

// ChainForms are the forms of the selectors of a base chain on a number of tokens.
func ChainForms() selector.Set[int, *baseChain] {
	return selector.NewSet("base", markovForm, hmmForm, chainFileForm)
}

func markovForm() chainForm {
	return chainForm{
		Syntax: "markov:SIGMA:SEED", Example: "markov:1:0", Missing: "SIGMA and SEED",
		Doc: "a random chain: the log of each row is SIGMA times normal numbers; uniform for SIGMA = 0",
		Parse: func(args selector.Args, tokens int) (*baseChain, error) {
			sigma, seed, err := noiseOf(args.Text)
			if err != nil {
				return nil, args.Wrap(err)
			}
			z := toys.StandardNormal(seed, tokens*(tokens+1))
			rows := make([][]float64, tokens+1)
			for i := range rows {
				rows[i] = z[i*tokens:][:tokens]
				for v := range rows[i] {
					rows[i][v] *= sigma
				}
				normalize(rows[i])
				for v, log := range rows[i] {
					rows[i][v] = math.Exp(log)
				}
			}
			return &baseChain{pi: rows[0], a: rows[1:]}, nil
		},
	}
}

// noiseOf reads SIGMA:SEED.
func noiseOf(text string) (sigma float64, seed uint32, err error) {
	size, number, _ := strings.Cut(text, ":")
	sigma, err = selector.ParseNumber(size)
	if err == nil && !(sigma >= 0 && sigma <= 1e300) {
		err = errs.New("the noise is %v; give a number from 0 to 1e300", sigma)
	}
	if err != nil {
		return 0, 0, err
	}
	whole, err := wholeNumber(number, "the seed", 0, 1<<32-1)
	return sigma, uint32(whole), err
}

func hmmForm() chainForm {
	return chainForm{
		Syntax: "hmm:MODEL", Example: "hmm:wear", Missing: "the model: " +
			strings.Join(models.BuiltInHMMs(), ", ") + ", or a file", File: selector.WholeArgument,
		Doc: "the hidden states of a hidden Markov model; the probability of its observations multiplies phi",
		Parse: func(args selector.Args, _ int) (*baseChain, error) {
			h, err := models.NamedHMM(args.Text)
			if err == nil {
				err = h.Validate()
			}
			if err != nil {
				return nil, args.Wrap(err)
			}
			return &baseChain{pi: h.Pi, a: h.A, hmm: h}, nil
		},
	}
}

func chainFileForm() chainForm {
	return chainForm{
		Syntax: "file:PATH", Example: "file:chain.npz", Missing: "the path", File: selector.WholeArgument,
		Doc: "the arrays pi, of the first token, and A, with a row for each token",
		Parse: func(args selector.Args, tokens int) (*baseChain, error) {
			b, err := chainOf(args.Text, tokens)
			return b, args.Wrap(err)
		},
	}
}

func chainOf(path string, tokens int) (*baseChain, error) {
	keys, err := numpy.Keys(path)
	if err != nil {
		return nil, err
	}
	slices.Sort(keys)
	if !slices.Equal(keys, []string{"A", "pi"}) {
		return nil, errs.New("%s has the arrays %v; a chain has pi and A", path, keys)
	}
	a, b := &arrays{path: path}, &baseChain{}
	b.pi, err = a.readArray("pi", 1, tokens)
	if err != nil {
		return nil, err
	}
	all, err := a.readArray("A", tokens, tokens)
	if err != nil {
		return nil, err
	}
	b.a = slices.Collect(slices.Chunk(all, tokens))
	for i, row := range append([][]float64{b.pi}, b.a...) {
		sum := 0.0
		for _, p := range row {
			sum += p
		}
		off := math.Abs(sum - 1)
		if !(off <= policies.MaxScaled) {
			return nil, errs.New("row %d of pi and A of %s sums to %v; it must sum to 1", i+1, path, sum)
		}
		b.scaled = max(b.scaled, off)
		for v := range row {
			row[v] /= sum
		}
	}
	return b, nil
}

// sequences are the target of twisted SMC.
type sequences struct {
	particle.Tilted
	length int
	offset float64 // which has been taken out of log phi
	logZ   float64 // without the offset
	// log of the probability of the observation of each time, by token; nil without observations
	emit   [][]float64
	toy    *toys.Toy
	scaled float64
}

// vocabulary returns the number of tokens and the length of the sequences that are the states of a
// toy.
func vocabulary(toy *toys.Toy) (tokens, length int, err error) {
	if toy.Lattice() == nil || len(toy.Lattice().Sides()) == 0 {
		return 0, 0, errs.New("the states of %s are not sequences; give a potential on a grid, as random:2:0:3x3x3",
			toy.Title())
	}
	sides := toy.Lattice().Sides()
	for _, side := range sides {
		if side != sides[0] {
			return 0, 0, errs.New(
				"the sides of %s differ (%v); all tokens of a sequence have one vocabulary, as in random:2:0:3x3x3",
				toy.Title(),
				sides,
			)
		}
	}
	return sides[0], len(sides), nil
}

// sequencesOf returns the target of a chain and a potential.
func sequencesOf(chain string, toy *toys.Toy) (*sequences, error) {
	tokens, length, err := vocabulary(toy)
	if err != nil {
		return nil, err
	}
	b, err := ChainForms().Parse(chain, tokens)
	if err != nil {
		return nil, err
	}
	if len(b.pi) != tokens {
		return nil, fmt.Errorf("base %s has %d states, and the sequences of %s have %d tokens",
			chain, len(b.pi), toy.Title(), tokens)
	}
	m := &sequences{
		Tilted: particle.Tilted{Pi: b.pi, A: b.a, LogPhi: centred(toy.G)},
		length: length,
		toy:    toy,
		scaled: b.scaled,
	}
	_, m.offset = number.Bounds(toy.G)
	if got, err := m.Length(); err != nil {
		return nil, err
	} else if got != length {
		return nil, fmt.Errorf("toy %s has %d states, which is not %d^%d", toy.Title(), len(toy.G), tokens, length)
	}
	if b.hmm != nil {
		if len(b.hmm.Y) != length {
			return nil, fmt.Errorf("base %s has %d observations, and the sequences of %s have length %d",
				chain, len(b.hmm.Y), toy.Title(), length)
		}
		m.observe(b.hmm)
	}
	m.logZ = m.Expected(length)[0][0]
	if math.IsInf(m.logZ, -1) {
		return nil, fmt.Errorf(
			"the potential is zero on all sequences that the base %s makes, so that Z = 0 and there is no target",
			chain,
		)
	}
	return m, nil
}

// observe multiplies phi by the probability of the observations.
func (m *sequences) observe(h *particle.HMM) {
	for _, y := range h.Y {
		row := make([]float64, len(h.Pi))
		for v := range row {
			row[v] = number.Log(h.E[v][y])
		}
		m.emit = append(m.emit, row)
	}
	for x := range m.LogPhi {
		for t := range h.Y {
			m.LogPhi[x] += m.emit[t][h.Step(x, t+1)]
		}
	}
}
