package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/exact/weights"
	"breadboard/experiments/conform/hypotheses"
	"breadboard/experiments/conform/samples"
	"breadboard/experiments/crosscheck"
)

// Side is what was found of the chains of one direction.
type Side struct {
	Direction chains.Direction
	Source    string // the name of the file, stream or program
	Chains    int
	Columns   samples.Columns
	// Odds are those of the hypotheses, the likeliest first; nil where they are not known.
	Odds []hypotheses.Odds
	// Telling says of each hypothesis how many chains tell it from the specification by these columns.
	Telling []Telling
	// Named are the hypotheses that fit best: the likeliest and those that these columns cannot tell from it. It is empty
	// where none fits.
	Named []string
	// Histograms are those of the ends and of the log weight.
	Histograms []*Histogram
	// Guarantees say which deviations a pass rules out.
	Guarantees []Guarantee
}

// Telling says how many chains tell a hypothesis from the specification, by the columns at hand.
type Telling struct {
	Hypothesis string
	KL         float64 // the divergence of one chain under the hypothesis from one under the specification, in nats
	Chains     float64 // the number of chains that find it with a probability of 0.99; +Inf where none do
}

// side takes the chains of one direction.
type side struct {
	d       chains.Direction
	source  samples.Source
	columns samples.Columns
	// shift is the constant that is taken from every log weight: log Z_1 where it is included, and the constant of log f.
	shift float64
	rows  int
	ended bool

	chain    *crosscheck.Tally
	set      *hypotheses.Set
	outcomes *hypotheses.Tally
	paths    *paths
	first    *Histogram // of x_1; nil where it is not known, as are the others
	last     *Histogram
	logw     *Histogram
	tests    []*test
	untested []string
}

// firstRows is the number of rows that are read before anything else is made. They say how log weights are written.
const firstRows = 256

// open reads the first rows of a source and sets up the tests that its columns allow.
func (c *checker) open(ctx context.Context, d chains.Direction, source samples.Source) (*side, error) {
	b, err := source.Next(ctx, firstRows)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there are no chains in it", source.Name())
	}
	if err != nil {
		return nil, err
	}
	s := &side{d: d, source: source, columns: source.Columns(), shift: c.shift}
	if columns := s.chainColumns(); columns == (crosscheck.Columns{}) {
		return nil, fmt.Errorf("%s: there is no column of chains in it; write log_w, x_first or x_last, or paths x_1 to x_T", source.Name())
	}
	if err := s.prepare(ctx, c); err != nil {
		return nil, err
	}
	c.pairs.Lock()
	if c.pair == nil {
		c.pair = &pairing{}
	}
	c.pair.columns[d] = s.chainColumns()
	c.pairs.Unlock()
	s.pending = b
	return s, nil
}
