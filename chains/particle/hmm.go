package particle

import (
	"cmp"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// HMM is a finite hidden Markov model with its observations. States and symbols are numbered from
// 0.
type HMM struct {
	Pi      []float64   // the distribution of the first hidden state
	A       [][]float64 // the distributions of the next hidden state, by hidden state
	E       [][]float64 // the distributions of the observed symbol, by hidden state
	Y       []int       // the observations, one for each time
	States  []string    // the names of the hidden states; nil if they have none
	Symbols []string    // the names of the symbols; nil if they have none
}

// maxPaths is the largest number of paths that a filter of an HMM may have.
const maxPaths = 1 << 20

// Validate returns an error if the model is invalid: rows of different lengths, a row that does not
// sum to one, or an observation that is not a symbol. Rows are never rescaled, since a row that
// does not sum to one is most likely a mistake.
func (h *HMM) Validate() error {
	n := len(h.Pi)
	if n == 0 {
		return errs.New("pi has no entry; give the probability of each hidden state")
	}
	if err := checkLaw("pi", h.Pi, n); err != nil {
		return err
	}
	if len(h.A) != n || len(h.E) != n {
		return errs.New("pi has %d hidden states, A %d rows and E %d; give A and E a row for each hidden state", n,
			len(h.A), len(h.E))
	}
	symbols := len(h.E[0])
	for i := range n {
		if err := cmp.Or(checkLaw(fmt.Sprintf("row %d of A", i+1), h.A[i], n),
			checkLaw(fmt.Sprintf("row %d of E", i+1), h.E[i], symbols)); err != nil {
			return err
		}
	}
	if len(h.Y) == 0 {
		return errs.New("y has no observation; give at least one")
	}
	for t, y := range h.Y {
		if y < 0 || y >= symbols {
			return errs.New("observation %d of y is %d; the rows of E have symbols 0 to %d", t, y, symbols-1)
		}
	}
	return nil
}

// rowTolerance is how far the sum of a row may be from one by rounding.
const rowTolerance = 1e-12

// checkLaw returns an error unless p holds n probabilities that sum to one.
func checkLaw(what string, p []float64, n int) error {
	if len(p) != n {
		return fmt.Errorf("%s has %d entries, and should have %d", what, len(p), n)
	}
	sum := 0.0
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return errs.New("%s: entry %d is %v, which is not a probability; divide each row by its sum", what, i+1, v)
		}
		sum += v
	}
	if !(math.Abs(sum-1) <= rowTolerance) {
		return errs.New("%s sums to %v; make it sum to one, as rows are never rescaled", what, sum)
	}
	return nil
}

// Paths returns the number of whole paths, n^len(y), or an error if there are more than MaxPaths.
func (h *HMM) Paths() (int, error) {
	paths := 1
	n := len(h.Pi)
	for range h.Y {
		paths *= n
		if paths > maxPaths {
			return 0, errs.New(
				"%d hidden states and %d observations have more than 2^20 whole paths; give fewer observations",
				n,
				len(h.Y),
			)
		}
	}
	return paths, nil
}

// Forward returns the filtering distributions of the hidden state, given the observations up to
// each time, and log Z, the log probability of all observations. For an impossible sequence log Z
// is -Inf, and the distributions end before the time at which it becomes impossible. The
// probability of a state may underflow in the distributions although later observations make it
// likely; it still counts in log Z. Time is O(len(y) n^2).
//
// Source: Rabiner 1989, section III.
func (h *HMM) Forward() (laws [][]float64, logZ float64) {
	next := make([]number.Wide, len(h.Pi))
	for i, p := range h.Pi {
		next[i] = number.Scaled(p, 0)
	}
	for _, y := range h.Y {
		law := make([]number.Wide, len(next))
		sum := number.Wide{}
		for i, p := range next {
			law[i] = p.Mul(number.Scaled(h.E[i][y], 0))
			sum = sum.Add(law[i])
		}
		logZ += sum.Log()
		if sum.M == 0 {
			return laws, logZ
		}
		next = make([]number.Wide, len(law))
		for i := range law {
			law[i] = law[i].Div(sum)
			for j, a := range h.A[i] {
				next[j] = next[j].Add(law[i].Mul(number.Scaled(a, 0)))
			}
		}
		laws = append(laws, floats(law))
	}
	return laws, logZ
}

// floats returns numbers as float64.
func floats(wide []number.Wide) []float64 {
	v := make([]float64, len(wide))
	for i, w := range wide {
		v[i] = w.Float()
	}
	return v
}

// LargestEstimate returns the log of the product of the largest likelihoods of a hidden state at
// each time. No particle filter has a larger estimate, since each of its factors is a mean of
// likelihoods.
func (h *HMM) LargestEstimate() (logZ float64) {
	for _, y := range h.Y {
		most := 0.0
		for _, row := range h.E {
			most = max(most, row[y])
		}
		logZ += number.Log(most)
	}
	return logZ
}

// Step returns the hidden state at time t = 1..len(y) of a whole path.
func (h *HMM) Step(path, t int) int {
	for range len(h.Y) - t {
		path /= len(h.Pi)
	}
	return path % len(h.Pi)
}

// Hidden is the particle filter of an HMM. Its states at stage t are the paths x_1..x_t, as numbers
// in base n with x_1 the leading digit. Stage t weighs for y_t and moves by proposing x_{t+1}; the
// last weight, at stage len(y), is that for the last observation. Zhat estimates the probability of
// the observations.
//
// Source: Gordon, Salmond and Smith 1993; Cusumano-Towner and Mansinghka 2017, supplement,
// algorithm 3.
type Hidden struct {
	h        *HMM
	proposal Proposal
	paths    int
	// the proposal, by time from 0 and the hidden state before; at time 0 there is one row
	laws [][][]float64
	// the log weight, by time and by the state (prior proposal) or the state before (optimal
	// proposal)
	logw [][]float64
}

// NewHidden returns the filter of a model that Validate accepts. It fails if there are more than
// MaxPaths paths, and if Propose does.
func NewHidden(h *HMM, proposal Proposal) (*Hidden, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	paths, err := h.Paths()
	if err != nil {
		return nil, err
	}
	return buildHidden(h, proposal, paths)
}

func buildHidden(h *HMM, proposal Proposal, outputs int) (*Hidden, error) {
	f := &Hidden{h: h, proposal: proposal, paths: outputs}
	for t := range h.Y {
		rows, logw, err := h.Propose(t, proposal)
		if err != nil {
			return nil, err
		}
		f.laws, f.logw = append(f.laws, rows), append(f.logw, logw)
	}
	return f, nil
}

// Propose returns the distributions from which a filter proposes the hidden state at a time from 0,
// by the state before (a single row at time 0). It also returns the log weights of the observation:
// by the state for the prior proposal, and by the state before for the optimal one. It fails if a
// float64 cannot hold a probability of the optimal one.
func (h *HMM) Propose(t int, proposal Proposal) (rows [][]float64, logw []float64, err error) {
	prior := h.A
	y := h.Y[t]
	if t == 0 {
		prior = [][]float64{h.Pi}
	}
	if proposal == Prior {
		for _, e := range h.E {
			logw = append(logw, number.Log(e[y]))
		}
		return prior, logw, nil
	}
	for _, a := range prior {
		products := make([]number.Wide, len(a))
		sum := number.Wide{}
		for j := range a {
			products[j] = number.Scaled(a[j], 0).Mul(number.Scaled(h.E[j][y], 0))
			sum = sum.Add(products[j])
		}
		logw = append(logw, sum.Log())
		row := a // if no next state can have this symbol: the weight is zero for any proposal
		if sum.M > 0 {
			for j := range products {
				products[j] = products[j].Div(sum)
			}
			row = floats(products)
		}
		for j, p := range row {
			if products[j].M > 0 && p < 0x1p-1022 {
				return nil, nil, errs.New(
					"the optimal proposal at time %d has a probability below the range of float64; take "+
						"the prior proposal",
					t+1,
				)
			}
		}
		rows = append(rows, row)
	}
	return rows, logw, nil
}

// Recent is the flow of Hidden with states that keep only the last two hidden states of a path, in
// base n, so that there may be any number of observations. LogTarget is 0, so that the log xi of a
// run is -log Zhat. It has no meta-inference: Back panics.
type Recent struct{ Hidden }

// NewRecent returns the filter of a model that Validate accepts. It fails if Propose does.
func NewRecent(h *HMM, proposal Proposal) (*Recent, error) {
	f, err := buildHidden(h, proposal, len(h.Pi)*len(h.Pi))
	if err != nil {
		return nil, err
	}
	return &Recent{*f}, nil
}

// Move implements Flow.
func (f *Recent) Move(c chains.Chooser, t, x int) int { return f.Hidden.Move(c, t, x%len(f.h.Pi)) }

// Back implements Flow.
func (*Recent) Back(chains.Chooser, int, int) int { panic("particle: Recent has no past") }

// LogTarget implements Flow.
func (*Recent) LogTarget(int) float64 { return 0 }

// Stages implements Flow.
func (f *Hidden) Stages() int { return len(f.h.Y) - 1 }

// Outputs implements Flow.
func (f *Hidden) Outputs() int { return f.paths }

// Start implements Flow.
func (f *Hidden) Start(c chains.Chooser) int { return c.Choose(f.laws[0][0]) }

// LogWeight implements Flow.
func (f *Hidden) LogWeight(t, x int) float64 {
	before, now := f.last(t, x)
	if f.laws[t-1][before][now] == 0 {
		return math.Inf(1) // only meta-inference can be there
	}
	if f.proposal == Prior {
		return f.logw[t-1][now]
	}
	return f.logw[t-1][before]
}

// last returns the last two hidden states of a path at stage t; the one before the first is 0.
func (f *Hidden) last(t, x int) (before, now int) {
	n := len(f.h.Pi)
	if t == 1 {
		return 0, x
	}
	return x / n % n, x % n
}

// Move implements Flow.
func (f *Hidden) Move(c chains.Chooser, t, x int) int {
	n := len(f.h.Pi)
	return x*n + c.Choose(f.laws[t][x%n])
}

// Back implements Flow: it drops the last hidden state, and makes no choice.
func (f *Hidden) Back(_ chains.Chooser, t, x int) int { return f.Parent(t+1, x) }

// LogTarget implements Flow: it is the log probability of the path with the observations.
func (f *Hidden) LogTarget(x int) float64 {
	sum := 0.0
	before := -1
	for t, y := range f.h.Y {
		now := f.h.Step(x, t+1)
		p := f.h.Pi[now]
		if before >= 0 {
			p = f.h.A[before][now]
		}
		sum += number.Log(p) + number.Log(f.h.E[now][y])
		before = now
	}
	return sum
}

// States implements Filter.
func (f *Hidden) States(t int) int {
	states := 1
	for range t {
		states *= len(f.h.Pi)
	}
	return states
}

// Parent implements Filter.
func (f *Hidden) Parent(_, x int) int { return x / len(f.h.Pi) }

// Types implements Filter. The type is the last hidden state for the prior proposal, and the last
// two for the optimal one, which weighs by the state before.
func (f *Hidden) Types(t int) int {
	n := len(f.h.Pi)
	if f.proposal == Prior || t == 1 {
		return n
	}
	return n * n
}

// Type implements Filter.
func (f *Hidden) Type(t, x int) int { return x % f.Types(t) }
