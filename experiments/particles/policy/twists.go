package policy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/toys"
)

type twistForm = selector.Form[*sequences, [][]float64]

// TwistForms are the forms of the selectors of twists: log psi_t of each prefix, by t from 1 on.
// The last ones are those of the last proposal.
func TwistForms() selector.Set[*sequences, [][]float64] {
	return selector.NewSet("twist", noTwistForm, lookaheadForm, localTwistForm, exactTwistForm, ratioForm,
		noisyForm, twistFileForm)
}

func noTwistForm() twistForm {
	return twistForm{
		Syntax: "none", Example: "none", Doc: "psi_t = 1: the base chain, weighed by phi at the end",
		Parse: func(_ selector.Args, m *sequences) ([][]float64, error) { return m.lookahead(-1), nil },
	}
}

func lookaheadForm() twistForm {
	return twistForm{
		Syntax: "lookahead:K", Example: "lookahead:1", Missing: "K, from 0 on",
		Doc: "the expectation of phi while at most K tokens are missing, and 1 before",
		Parse: func(args selector.Args, m *sequences) ([][]float64, error) {
			k, err := wholeNumber(args.Text, "K", 0, 1e6)
			return m.lookahead(int(k)), args.Wrap(err)
		},
	}
}

// lookahead returns twists that are exact within k tokens of the end, and one before.
func (m *sequences) lookahead(k int) [][]float64 {
	psi := m.Expected(m.length)[1:]
	for t := range psi {
		if m.length-1-t > k {
			psi[t] = make([]float64, len(psi[t]))
		}
	}
	return psi
}

func localTwistForm() twistForm {
	return twistForm{
		Syntax: "local", Example: "local", Doc: "the factors of phi of which all tokens are in the prefix",
		Parse: func(args selector.Args, m *sequences) ([][]float64, error) {
			psi, err := m.localTwists()
			return psi, args.Wrap(err)
		},
	}
}

// localTwists returns log psi_t of each prefix: the sum of the log factors of phi whose variables
// are all in it.
func (m *sequences) localTwists() ([][]float64, error) {
	p := &partial{cards: m.toy.Lattice().Sides()}
	factors, err := p.factors(m.toy)
	if err != nil {
		return nil, fmt.Errorf("the twist local: %w", err)
	}
	psi := make([][]float64, m.length)
	before := []float64{0}
	for t := range psi {
		psi[t] = make([]float64, len(before)*len(m.Pi))
		for y := range psi[t] {
			psi[t][y] = before[y/len(m.Pi)]
			var d digits
			for i, rest := t, y; i >= 0; i, rest = i-1, rest/len(m.Pi) {
				d[i] = uint32(rest%len(m.Pi) + 1)
			}
			for _, f := range factors {
				if log, known := p.logFactor(f, &d); known && slices.Contains(f.Scope, t) {
					psi[t][y] += log
				}
			}
			if m.emit != nil {
				psi[t][y] += m.emit[t][y%len(m.Pi)]
			}
		}
		before = psi[t]
	}
	return psi, nil
}

func exactTwistForm() twistForm {
	return twistForm{
		Syntax:  "exact[:C]",
		Example: "exact:0.5",
		Doc:     "the expectation of phi given the prefix, to the power C",
		Parse: func(args selector.Args, m *sequences) ([][]float64, error) {
			psi := m.lookahead(m.length)
			if args.Text == "" {
				return psi, nil
			}
			c, err := selector.ParseNumber(args.Text)
			if err == nil && !(c > 0) {
				err = errs.New("the power is %v; give a number above 0", c)
			}
			if err != nil {
				return nil, args.Wrap(err)
			}
			return mapTwists(psi, func(_ int, log float64) float64 { return c * log }), nil
		},
	}
}

// mapTwists returns the changed log psi_t of each prefix. The change gets the number of the prefix,
// counted over all t, and its log psi_t.
func mapTwists(psi [][]float64, change func(i int, log float64) float64) [][]float64 {
	i := 0
	out := make([][]float64, len(psi))
	for t, row := range psi {
		for _, log := range row {
			out[t] = append(out[t], change(i, log))
			i++
		}
	}
	return out
}

func ratioForm() twistForm {
	return twistForm{
		Syntax: "ratio", Example: "ratio",
		Doc: "the exact policy over the base chain: proposals are exact, and targets of resampling are not",
		Parse: func(_ selector.Args, m *sequences) ([][]float64, error) {
			psi := m.lookahead(m.length)
			for t := m.length - 2; t > 0; t-- { // psi_T stays phi
				row := slices.Clone(psi[t])
				for y := range row {
					if row[y] > math.Inf(-1) {
						row[y] -= psi[t-1][y/len(m.Pi)]
					}
				}
				psi[t] = row
			}
			return psi, nil
		},
	}
}

func noisyForm() twistForm {
	return twistForm{
		Syntax:  "noisy:SIGMA:SEED",
		Example: "noisy:1:0",
		Missing: "SIGMA and SEED",
		Doc:     "exact, with SIGMA times normal numbers added to the logarithms",
		Parse: func(args selector.Args, m *sequences) ([][]float64, error) {
			sigma, seed, err := noiseOf(args.Text)
			if err != nil {
				return nil, args.Wrap(err)
			}
			z := toys.StandardNormal(seed, 2*len(m.LogPhi))
			return mapTwists(m.lookahead(m.length),
				func(i int, log float64) float64 { return log + float64(sigma*z[i]) }), nil
		},
	}
}

func twistFileForm() twistForm {
	return twistForm{
		Syntax: "file:PATH", Example: "file:twists.npz", Missing: "the path", File: selector.WholeArgument,
		Doc: "your own twists as arrays log_psi_1, log_psi_2, ... (breadboard help policies)",
		Parse: func(args selector.Args, m *sequences) ([][]float64, error) {
			psi, err := m.readTwists(args.Text)
			return psi, args.Wrap(err)
		},
	}
}

// readTwists reads twists from a file .npz: log_psi_t has a number for each prefix of length t,
// with one axis or with one for each token. Without the last one the last proposal knows phi.
func (m *sequences) readTwists(path string) ([][]float64, error) {
	keys, err := numpy.Keys(path)
	if err != nil {
		return nil, err
	}
	psi := m.lookahead(0)
	read := 0
	for t := range psi {
		key := fmt.Sprintf("log_psi_%d", t+1)
		if !slices.Contains(keys, key) {
			if t == m.length-1 {
				break
			}
			return nil, errs.New("%s has no array %s; sequences of length %d need log_psi_1 to log_psi_%d",
				path, key, m.length, m.length-1)
		}
		read++
		array, err := numpy.ReadFile(path+"#"+key, len(m.LogPhi))
		if err != nil {
			return nil, err
		}
		axes := slices.Repeat([]int{len(m.Pi)}, t+1)
		if !slices.Equal(array.Shape, axes) && !slices.Equal(array.Shape, []int{len(psi[t])}) {
			return nil, errs.New("%s of %s has the shape %s; it needs %s, or %d numbers in one axis",
				key, path, numpy.ShapeText(array.Shape),
				numpy.ShapeText(axes), len(psi[t]))
		}
		psi[t], err = array.Floats()
		if err != nil {
			return nil, err
		}
	}
	if read < len(keys) {
		return nil, errs.New("%s has the arrays %s; sequences of length %d have log_psi_1 to log_psi_%[3]d",
			path, strings.Join(keys, ", "), m.length)
	}
	return psi, nil
}

// parseTwists returns the twists of a selector.
func (m *sequences) parseTwists(text string) ([][]float64, error) {
	psi, err := TwistForms().Parse(text, m)
	if err != nil {
		return nil, err
	}
	for t, row := range psi {
		for y, log := range row {
			if math.IsNaN(log) || math.IsInf(log, 1) {
				return nil, errs.New(
					"log psi_%d of twist %s is %v at prefix %d; give finite numbers, or -inf for a twist of zero",
					t+1,
					text,
					log,
					y,
				)
			}
		}
		if _, high := number.Bounds(row); math.IsInf(high, -1) {
			return nil, fmt.Errorf("psi_%d of twist %s is zero for all prefixes, so that no run has an output",
				t+1, text)
		}
	}
	return psi, nil
}

// rounding bounds the error of the logarithm of a probability or a weight: that of its terms, times
// their number.
func (m *sequences) rounding(psi [][]float64) float64 {
	size := 1 + math.Abs(m.logZ)
	for _, logs := range append([][]float64{m.LogPhi}, psi...) {
		low, high := number.Bounds(logs)
		size = max(size, high-low, math.Abs(low), math.Abs(high))
	}
	return 0x1p-50 * float64(m.length) * size
}
