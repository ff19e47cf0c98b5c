package conform

import (
	"context"
	"errors"

	"breadboard/chains"
	"breadboard/chains/simulate"
	"breadboard/experiments/external"
	"breadboard/experiments/samples"
)

// Programs returns the chains of a program as sources, one for each direction that the program has. Every batch is made from
// a random seed of its own of 53 bits, of which no two are the same but by a chance that is too small to matter. The first
// batch of each direction is asked for at once, since the program says only then which columns it has.
func Programs(ctx context.Context, s *external.Sampler, seed uint64) (Input, error) {
	var in Input
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		p := &programSource{sampler: s, d: d, seed: seed}
		b, err := p.ask(ctx, firstRows)
		if errors.Is(err, external.ErrUnsupported) {
			continue
		}
		if err != nil {
			return in, err
		}
		p.first = b
		if in.seeds[d], err = p.trySeeds(ctx); err != nil {
			return in, err
		}
		if d == chains.Forward {
			in.Forward = p
		} else {
			in.Reverse = p
		}
	}
	if in.Forward == nil && in.Reverse == nil {
		return in, chains.NewFault(errors.New("the program says that it has chains of neither direction; it must answer one"))
	}
	return in, nil
}

// programSource is the chains of one direction that a program makes, without end.
type programSource struct {
	sampler *external.Sampler
	d       chains.Direction
	seed    uint64
	first   *samples.Batch // the first batch, as far as it has not been given out
	batches int
	rows    int
}

// mostAsked is the largest number of chains that are asked for at once, so that progress can be shown.
const mostAsked = 1 << 14

// ask asks for a batch from the next seed.
func (p *programSource) ask(ctx context.Context, rows int) (*samples.Batch, error) {
	stream := simulate.ChainStream(p.seed, "conform program", p.d, p.batches)
	p.batches++
	return p.sampler.Ask(ctx, p.d, min(rows, mostAsked, p.sampler.MostChains(p.d)), stream.Uint64()>>11)
}

// seedChains is the number of chains of the batches that are made twice. Two batches of so many chains that are all different
// are in the same order by chance with a probability of 10^-89.
const seedChains = 64

// trySeeds asks for the chains of one seed twice, and for those of another.
func (p *programSource) trySeeds(ctx context.Context) (*external.SeedTest, error) {
	stream := simulate.ChainStream(p.seed, "conform seeds", p.d, 0)
	test, err := p.sampler.TrySeeds(ctx, p.d, seedChains, stream.Uint64()>>11, stream.Uint64()>>11)
	return &test, err
}

// Name returns the name that the program has given itself.
func (p *programSource) Name() string { return p.sampler.Name() }

// Columns says what the program's answers hold.
func (p *programSource) Columns() samples.Columns { return p.sampler.Columns(p.d) }

// Precision says how exactly the log weights are written.
func (p *programSource) Precision() samples.Precision { return p.sampler.Precision(p.d) }

// IncrementPrecision says the same of the increments, which a program writes as it writes log weights.
func (p *programSource) IncrementPrecision() samples.Precision { return p.sampler.Precision(p.d) }

// Next returns the next batch. It never returns io.EOF.
func (p *programSource) Next(ctx context.Context, rows int) (*samples.Batch, error) {
	b := p.first
	if p.first = nil; b == nil {
		var err error
		if b, err = p.ask(ctx, rows); err != nil {
			return nil, err
		}
	}
	if b.Rows > rows {
		b, p.first = part(b, 0, rows), part(b, rows, b.Rows)
	}
	b.First = p.rows
	p.rows += b.Rows
	return b, nil
}
