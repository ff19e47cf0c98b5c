package conform

import (
	"context"
	"errors"
	"io"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/simulate"
	"breadboard/experiments/draws"
	"breadboard/experiments/programs"
)

// Programs returns the chains of a program as sources, one for each direction that the program has.
// Every batch is made from its own random seed of 53 bits; two equal seeds are negligibly
// improbable. The first batch of each direction is requested at once, since only then the program
// states its columns.
func Programs(ctx context.Context, s *programs.Sampler, seed uint64) (Input, error) {
	var in Input
	for _, d := range []chains.Direction{chains.Forward, chains.Reverse} {
		p := &programSource{sampler: s, d: d, seed: seed}
		b, err := p.askBatch(ctx, firstRows)
		if errors.Is(err, programs.ErrUnsupported) {
			continue
		}
		if err != nil {
			return in, err
		}
		p.first = b
		in.seeds[d], err = p.trySeeds(ctx)
		if err != nil {
			return in, err
		}
		if d == chains.Forward {
			in.Forward = p
		} else {
			in.Reverse = p
		}
	}
	if in.Forward == nil && in.Reverse == nil {
		return in, chains.NewFault(errs.New("the program declares neither direction supported; it must support one"))
	}
	return in, nil
}

// programSource is the chains of one direction that a program makes, without end.
type programSource struct {
	sampler *programs.Sampler
	d       chains.Direction
	seed    uint64
	first   *draws.Batch // the first batch, as far as it has not been given out
	batches int
	rows    int
}

// mostAsked is the largest number of chains that are asked for at once, so that progress can be
// shown.
const mostAsked = 1 << 14

// askBatch asks for a batch from the next seed.
func (p *programSource) askBatch(ctx context.Context, rows int) (*draws.Batch, error) {
	stream := simulate.ChainStream(p.seed, "conform program", p.d, p.batches)
	p.batches++
	return p.sampler.Ask(ctx, p.d, min(rows, mostAsked, p.sampler.MostChains(p.d)), stream.Uint64()>>11)
}

// seedChains is the number of chains of the batches that are made twice. Two batches of so many
// chains that are all different are in the same order by chance with a probability of 10^-89.
const seedChains = 64

// trySeeds asks for the chains of one seed twice, and for those of another.
func (p *programSource) trySeeds(ctx context.Context) (*programs.SeedTest, error) {
	stream := simulate.ChainStream(p.seed, "conform seeds", p.d, 0)
	test, err := p.sampler.TrySeeds(ctx, p.d, seedChains, stream.Uint64()>>11, stream.Uint64()>>11)
	return &test, err
}

// Name returns the name that the program has given itself.
func (p *programSource) Name() string { return p.sampler.Name() }

// Columns says what the program's answers hold.
func (p *programSource) Columns() draws.Columns { return p.sampler.Columns(p.d) }

// Precision says how exactly the log weights are written.
func (p *programSource) Precision() draws.Precision { return p.sampler.Precision(p.d) }

// IncrementPrecision says the same of the increments, which a program writes as it writes log
// weights.
func (p *programSource) IncrementPrecision() draws.Precision { return p.sampler.Precision(p.d) }

// Next returns the next batch. It never returns io.EOF.
func (p *programSource) Next(ctx context.Context, rows int) (*draws.Batch, error) {
	b := p.first
	err := error(nil)
	p.first = nil
	if b == nil {
		b, err = p.askBatch(ctx, rows)
		if err != nil {
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

// ahead reads the next rows of a source while those before are counted. What its Next returns stays
// as it is until the next call, since it is a copy: the source may use the memory of a batch again.
type ahead struct {
	// reads the next batch; it goes on from one round of looks to the next, until the run ends
	read   func() (*draws.Batch, error)
	cancel context.CancelFunc
	coming chan read // what is being read; nil if nothing is
	have   draws.Batch
	given  int // the number of rows of have that have been returned
}

type read struct {
	batch *draws.Batch
	err   error
}

// newAhead returns a reader of a source, of which the first rows have been read, until the context
// ends. The caller stops it.
func newAhead(ctx context.Context, source draws.Source) *ahead {
	ctx, cancel := context.WithCancel(ctx)
	return &ahead{read: func() (*draws.Batch, error) { return source.Next(ctx, maxBatch) }, cancel: cancel}
}

// startReading begins to read.
func (a *ahead) startReading() {
	coming := make(chan read, 1)
	a.coming = coming
	go func() {
		b, err := a.read()
		coming <- read{b, err}
	}()
}

// next returns the next rows, at most that many. If the context ends it loses none: they are there
// for the next call.
func (a *ahead) next(ctx context.Context, rows int) (*draws.Batch, error) {
	if a.given == a.have.Rows {
		if a.coming == nil {
			a.startReading()
		}
		var r read
		select {
		case r = <-a.coming:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		a.coming = nil
		if r.err != nil {
			return nil, r.err
		}
		a.have.First = r.batch.First
		a.have.Rows = 0
		a.given = 0
		a.have.LogW = a.have.LogW[:0]
		a.have.XFirst = a.have.XFirst[:0]
		a.have.XLast = a.have.XLast[:0]
		emptied(a.have.Path)
		emptied(a.have.Increments)
		appendRows(&a.have, r.batch)
		a.startReading()
	}
	from := a.given
	a.given = min(a.have.Rows, from+rows)
	return part(&a.have, from, a.given), nil
}

// stop ends reading, and returns when nothing is read any more.
func (a *ahead) stop() {
	a.cancel()
	if a.coming != nil {
		<-a.coming
		a.coming = nil
	}
}

// gathered returns that many rows of a source, or as many as there are, in memory of their own. A
// stream may give them one by one, of which the first does not say how the others are written. With
// an error it returns the rows before it.
func gathered(ctx context.Context, source draws.Source, rows int) (*draws.Batch, error) {
	out := &draws.Batch{}
	for out.Rows < rows {
		b, err := source.Next(ctx, rows-out.Rows)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, err
		}
		appendRows(out, b)
	}
	return out, nil
}

// appendRows appends the rows of a batch to those of another one, which keeps its memory.
func appendRows(to, b *draws.Batch) {
	to.LogW, to.XFirst, to.XLast = append(to.LogW, b.LogW...), append(to.XFirst, b.XFirst...),
		append(to.XLast, b.XLast...)
	to.Path, to.Increments = appended(to.Path, b.Path), appended(to.Increments, b.Increments)
	to.Rows += b.Rows
}

// appended appends rows to columns.
func appended[V any](columns, rows [][]V) [][]V {
	if columns == nil && rows != nil {
		columns = make([][]V, len(rows))
	}
	for k, v := range rows {
		columns[k] = append(columns[k], v...)
	}
	return columns
}

// emptied takes all rows out of columns.
func emptied[V any](columns [][]V) {
	for k := range columns {
		columns[k] = columns[k][:0]
	}
}

// part returns some of the chains of a batch.
func part(b *draws.Batch, from, to int) *draws.Batch {
	return &draws.Batch{
		First:      b.First + from,
		Rows:       to - from,
		LogW:       cut(b.LogW, from, to),
		XFirst:     cut(b.XFirst, from, to),
		XLast:      cut(b.XLast, from, to),
		Path:       cutAll(b.Path, from, to),
		Increments: cutAll(b.Increments, from, to),
	}
}

// cut returns some rows of a column, which is nil if it is missing.
func cut[V any](column []V, from, to int) []V {
	if column == nil {
		return nil
	}
	return column[from:to]
}

// cutAll returns some rows of several columns.
func cutAll[V any](columns [][]V, from, to int) (out [][]V) {
	for _, v := range columns {
		out = append(out, cut(v, from, to))
	}
	return out
}
