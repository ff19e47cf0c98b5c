package particle

import (
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Tilted is a distribution of sequences s_1..s_T of tokens: a Markov chain p_0 times a potential
// phi of the whole sequence, over its sum Z. A prefix s_1..s_t is a number in base n, with s_1 the
// leading digit, for n tokens.
type Tilted struct {
	Pi     []float64   // the distribution of the first token
	A      [][]float64 // the distributions of the next token, by token
	LogPhi []float64   // log phi of each whole sequence; -Inf for a phi of zero
}

// Length returns T, or an error if log phi is not given for the sequences of some length, which are
// at most MaxPaths.
func (m *Tilted) Length() (length int, err error) {
	n := len(m.Pi)
	states := 1
	if n == 1 {
		return 0, errs.New("a vocabulary of one token has one sequence; give two tokens or more")
	}
	for n > 0 && states < len(m.LogPhi) && states <= maxPaths {
		states *= n
		length++
	}
	switch {
	case len(m.LogPhi) > maxPaths:
		return 0, errs.New(
			"there are %d sequences, and the limit is 2^20; take a smaller vocabulary or a shorter sequence",
			len(m.LogPhi),
		)
	case states != len(m.LogPhi) || length == 0:
		return 0, fmt.Errorf("phi has %d values, which is not a power of the %d tokens", len(m.LogPhi), n)
	}
	return length, nil
}

// tokenRow returns the distribution of the token behind a prefix of a length.
func (m *Tilted) tokenRow(length, prefix int) []float64 {
	if length == 0 {
		return m.Pi
	}
	return m.A[prefix%len(m.Pi)]
}

// Expected returns log of the expectation of phi given each prefix, by its length from 0 on: the
// first entry has log Z, and the last one log phi. These are the twists with which every weight is
// a constant. Time and memory are O(n^T).
//
// Source: Zhao, Brekelmans, Makhzani and Grosse 2024, proposition 3.2.
func (m *Tilted) Expected(length int) [][]float64 {
	all := make([][]float64, length+1)
	all[length] = m.LogPhi
	logs := make([]float64, len(m.Pi))
	for t := length - 1; t >= 0; t-- {
		all[t] = make([]float64, len(all[t+1])/len(logs))
		for prefix := range all[t] {
			all[t][prefix] = m.logTilted(logs, t, prefix, all[t+1])
		}
	}
	return all
}

// logTilted writes log p_0 psi of each token behind a prefix of a length, and returns the log of
// the sum.
func (m *Tilted) logTilted(logs []float64, length, prefix int, psi []float64) float64 {
	for v, p := range m.tokenRow(length, prefix) {
		logs[v] = number.Log(p) + psi[prefix*len(logs)+v]
	}
	return number.LogSumExp(logs)
}

// logTarget returns log p_0 phi of a whole sequence.
func (m *Tilted) logTarget(length, x int) float64 {
	log := m.LogPhi[x]
	for t, prefix := length-1, x; t >= 0; t-- {
		v := prefix % len(m.Pi)
		prefix /= len(m.Pi)
		log += number.Log(m.tokenRow(t, prefix)[v])
	}
	return log
}

// Twisted is twisted sequential Monte Carlo. Its states at stage t are the prefixes s_1..s_t.
// Particles are resampled towards p_0 psi_t, where the twist psi_t approximates the expectation of
// phi given the prefix, and psi_T is phi. The weight of stage t is
//
//	p_0(s_t) psi_t(s_1..s_t) / (q(s_t) psi_{t-1}(s_1..s_{t-1})),
//
// with psi_0 = 1. The proposal q is p_0, or proportional to p_0 psi_t. LogTarget leaves out
// sequences of positive probability that no run reaches because a twist is zero on the way: Zhat
// estimates the sum over the others.
//
// Source: Zhao, Brekelmans, Makhzani and Grosse 2024, section 3.
type Twisted struct {
	// LogLost is the log of the sum of p_0 phi over the sequences that no run reaches because a
	// twist is zero on the way.
	LogLost float64
	// LogUnderflow is the log of that sum over the sequences that no run reaches because a proposal
	// underflows.
	LogUnderflow float64
	// Dies reports whether a particle of a run may get the weight zero, so that all of them may.
	Dies   bool
	tokens int
	q      [][][]float64 // the proposals, by the length of the prefix from 0 and by prefix
	logw   [][]float64   // the weights, by stage from 0 and by state
	target []float64
}

// NewTwisted returns twisted SMC. The twists are logarithms, by t from 1 and by prefix, and none is
// +Inf or NaN. The last ones are those of the last proposal, which need not know phi. If chain is
// true, proposals are those of the Markov chain, and the last twists are not used.
func NewTwisted(m *Tilted, logPsi [][]float64, chain bool) *Twisted {
	f := &Twisted{tokens: len(m.Pi)}
	before := []float64{0}
	reached := []bool{true}
	for t, psi := range logPsi {
		to := psi // what the particles are resampled towards
		if t == len(logPsi)-1 {
			to = m.LogPhi
		}
		next := make([]bool, len(psi))
		logw := make([]float64, len(psi))
		q := make([][]float64, len(before))
		for prefix := range before {
			q[prefix] = m.propose(logw, t, prefix, to, psi, chain)
			for v, p := range q[prefix] {
				y := prefix*f.tokens + v
				logw[y] -= before[prefix]
				if p == 0 || math.IsInf(before[prefix], -1) {
					logw[y] = math.Inf(1) // only meta-inference can be there
				}
				next[y] = reached[prefix] && !math.IsInf(logw[y], 0)
				f.Dies = f.Dies || reached[prefix] && math.IsInf(logw[y], -1)
			}
		}
		f.q, f.logw = append(f.q, q), append(f.logw, logw)
		before = to
		reached = next
	}
	f.aim(m, logPsi, reached)
	return f
}

// aim sets the target, which has the sequences that runs reach.
func (f *Twisted) aim(m *Tilted, logPsi [][]float64, reached []bool) {
	f.target = make([]float64, len(reached))
	var lost, underflow number.LogSum
	for x, is := range reached {
		f.target[x] = m.logTarget(len(f.q), x)
		switch {
		case is:
			continue
		case f.stopped(logPsi, x):
			lost.Add(f.target[x])
		default:
			underflow.Add(f.target[x])
		}
		f.target[x] = math.Inf(-1)
	}
	f.LogLost, f.LogUnderflow = lost.Log(), underflow.Log()
}

// stopped reports whether a twist is zero on the way to a sequence.
func (f *Twisted) stopped(logPsi [][]float64, x int) bool {
	for t := len(logPsi) - 1; t >= 0; t, x = t-1, x/f.tokens {
		if math.IsInf(logPsi[t][x], -1) {
			return true
		}
	}
	return false
}

// propose returns the proposal behind a prefix of length t, and writes log p_0 to/q of the tokens.
func (m *Tilted) propose(logw []float64, t, prefix int, to, psi []float64, chain bool) []float64 {
	n := len(m.Pi)
	here := logw[prefix*n:][:n]
	if chain {
		copy(here, to[prefix*n:])
		return m.tokenRow(t, prefix)
	}
	q := make([]float64, n)
	norm := m.logTilted(q, t, prefix, psi)
	for v := range here {
		if math.IsInf(norm, -1) { // no next token has a weight, for any proposal
			here[v] = norm
			continue
		}
		// Equal twists cancel exactly, so that the weight is the same for all tokens. If both are
		// zero it is NaN, and the proposal zero.
		here[v] = norm + (to[prefix*n+v] - psi[prefix*n+v])
		q[v] = math.Exp(q[v] - norm)
	}
	if math.IsInf(norm, -1) {
		return m.tokenRow(t, prefix)
	}
	scale(q)
	return q
}

// Stages implements Flow.
func (f *Twisted) Stages() int { return len(f.q) - 1 }

// Outputs implements Flow.
func (f *Twisted) Outputs() int { return len(f.target) }

// Start implements Flow.
func (f *Twisted) Start(c chains.Chooser) int { return c.Choose(f.q[0][0]) }

// LogWeight implements Flow.
func (f *Twisted) LogWeight(t, x int) float64 { return f.logw[t-1][x] }

// Move implements Flow.
func (f *Twisted) Move(c chains.Chooser, t, x int) int { return x*f.tokens + c.Choose(f.q[t][x]) }

// Back implements Flow: it drops the last token, and makes no choice.
func (f *Twisted) Back(_ chains.Chooser, t, x int) int { return f.Parent(t+1, x) }

// LogTarget implements Flow: it is the log of p_0 phi of the sequence.
func (f *Twisted) LogTarget(x int) float64 { return f.target[x] }

// States implements Filter.
func (f *Twisted) States(t int) int { return len(f.logw[t-1]) }

// Parent implements Filter.
func (f *Twisted) Parent(_, x int) int { return x / f.tokens }

// Types implements Filter: each prefix is a type, since a twist may depend on all of it.
func (f *Twisted) Types(t int) int { return f.States(t) }

// Type implements Filter.
func (f *Twisted) Type(_, x int) int { return x }
