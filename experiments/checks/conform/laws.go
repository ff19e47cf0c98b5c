package conform

import (
	"context"
	"math"
	"slices"
	"sync"

	"breadboard/chains"
	"breadboard/experiments/checks/conform/hypotheses"

	"breadboard/experiments/checks/annealed"
	"breadboard/experiments/draws"
	"breadboard/experiments/verdicts"
)

// Laws are the exact distributions of a task. They are computed on demand and kept, so that many
// implementations of one task cost little more than one. Several goroutines may use them.
type Laws struct {
	task *Task
	// centred is the annealing of the task, without the constant in log f if that is too large to
	// compare log weights beside it; offset is what that takes out of every log weight.
	centred *chains.Annealing
	offset  float64
	size    float64 // see hypotheses.Size; without the offset

	mu      sync.Mutex
	chain   *annealed.ChainLaws
	rounded map[float64]*annealed.ChainLaws // by how far log weights may be from what was computed
	sets    map[setKey]*hypotheses.Set
	// logw are empty histograms of log w, by direction: between quantiles, and in equal cells. They
	// take a while; nil until then.
	logw [2][2]*Histogram
	told map[toldKey][]verdicts.Need
}

// toldKey tells apart how many chains tell hypotheses from the specification.
type toldKey struct {
	set          *hypotheses.Set
	logThreshold float64
}

// setKey tells the distributions of the hypotheses apart.
type setKey struct {
	d         chains.Direction
	columns   annealed.Columns
	precision draws.Precision
	shift     float64
	included  bool // whether log weights were sent with log Z_1
}

// mostConstant is the largest constant in log f, in nats, with which log weights are compared as
// they are.
const mostConstant = 1e4

// NewLaws returns the distributions of a task.
func NewLaws(t *Task) *Laws {
	l := &Laws{
		task:    t,
		rounded: map[float64]*annealed.ChainLaws{},
		sets:    map[setKey]*hypotheses.Set{},
		told:    map[toldKey][]verdicts.Need{},
	}
	l.centred, l.offset = t.Case.Annealing().Centred()
	if math.Abs(l.offset) <= mostConstant {
		l.centred = t.Case.Annealing()
		l.offset = 0
	}
	l.size = hypotheses.Size(l.centred)
	return l
}

// ofChains returns the distributions of whole chains.
func (l *Laws) ofChains(ctx context.Context) (*annealed.ChainLaws, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.chain != nil {
		return l.chain, nil
	}
	laws, err := annealed.NewChainLaws(ctx, l.centred)
	if err != nil {
		return nil, l.task.Case.Wrong(err)
	}
	if l.task.Case.Toy.InWords() {
		laws.Named(labels(l.task.Case.Toy))
	}
	l.chain = laws
	return laws, nil
}

// roundedBy returns the distributions of whole chains whose log weights may be this far from what
// was computed. Those of whole chains must be known.
func (l *Laws) roundedBy(by float64) *annealed.ChainLaws {
	l.mu.Lock()
	defer l.mu.Unlock()
	if by == 0 {
		return l.chain
	}
	if l.rounded[by] == nil {
		l.rounded[by] = l.chain.Rounded(by)
	}
	return l.rounded[by]
}

// histograms returns empty histograms of the log weights of a direction: between quantiles, and in
// cells of about equal length. The distributions of whole chains must have been computed.
func (l *Laws) histograms(d chains.Direction) (quantiles, equal *Histogram) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.logw[d][0] == nil {
		law := l.chain.LogW(d)
		l.logw[d] = [2]*Histogram{weightHistogram("log w", law), lawHistogram("log w", law)}
	}
	return l.logw[d][0].empty(), l.logw[d][1].empty()
}

// makeSet returns the distributions of the hypotheses.
func (l *Laws) makeSet(ctx context.Context, key setKey, rounding func(v float64) float64, workers int,
	progress func(steps int)) (*hypotheses.Set, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.sets[key]; s != nil {
		return s, nil
	}
	s, err := hypotheses.New(ctx, hypotheses.Problem{
		Annealing: l.centred,
		Space:     l.task.Case.Toy.Space,
		Direction: key.d,
		Columns:   hypotheses.Columns(key.columns),
		LogZ1:     l.task.LogZ1,
		Included:  key.included,
		Rounding:  rounding,
		Workers:   workers,
		Progress:  progress,
	})
	if err == nil {
		l.sets[key] = s
	}
	return s, err
}

// needs returns how many chains tell every hypothesis of a set from the specification.
func (l *Laws) needs(d chains.Direction, set *hypotheses.Set, logThreshold float64) []verdicts.Need {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := toldKey{set, logThreshold}
	if l.told[key] == nil {
		l.told[key] = needsOf(d, set, logThreshold)
	}
	return slices.Clone(l.told[key])
}
