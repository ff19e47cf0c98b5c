package programs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/draws"
)

// BatchDeadline is the deadline of a sampler for its first line and for each batch, for
// NewPrograms. A batch takes longer than a move, and Python takes seconds to import its libraries.
const BatchDeadline = 60 * time.Second

// The constants below bound what a sampler may say and be asked for. PROTOCOL.md has the same
// numbers.
const (
	// maxBatchLine is the largest number of bytes of a line that holds a batch.
	maxBatchLine = 64_000_000
	// seeds is one more than the largest seed. Larger whole numbers are not exact in JSON, where
	// readers take float64.
	seeds = 1 << 53
)

// ErrUnsupported is the error of a request for chains of a direction that the program does not
// support.
var ErrUnsupported = errors.New("the program declares this direction unsupported")

// Sampler is a program that runs annealed chains; see PROTOCOL.md. It answers one request at a
// time; its methods may be called by several goroutines.
type Sampler struct {
	space draws.Space
	name  string

	mu   sync.Mutex // held during a request
	p    *process   // nil if the program has been ended
	id   int        // the number of the last request
	cost meter
	// broken says why the program is not asked again, and is nil if it may be.
	broken error
	sides  [2]side // what is known of the chains of each direction
}

// side is what a sampler's answers have said about one direction.
type side struct {
	asked       bool // there was an answer
	unsupported bool
	columns     draws.Columns   // of the first answer, and so of all
	precision   draws.Precision // of the log weights of the first answer
	rows        int             // the number of chains so far
}

// StartSampler starts a program that runs annealed chains on a space, and reads its first line. The
// words are the program and its arguments; no shell is involved. The deadline of each answer is
// that of programs; see BatchDeadline.
func (p *Programs) StartSampler(words []string, space draws.Space) (*Sampler, error) {
	command, err := joinCommand(words)
	if err != nil {
		return nil, err
	}
	s := &Sampler{space: space}
	s.p, err = p.start(command, limits{p.deadline, p.deadline, maxBatchLine}, &s.cost)
	if err != nil {
		return nil, err
	}
	var hello struct {
		Sampler string `json:"sampler"`
	}
	if err := s.p.ask(nil, &hello); err != nil {
		return nil, err
	}
	if hello.Sampler == "" {
		return nil, s.p.failure(errs.New(`its first line has no name; write {"sampler": "a name"}`))
	}
	s.name = hello.Sampler
	if err := p.keepOpen(s); err != nil {
		return nil, err
	}
	return s, nil
}

// shut ends the program, when it has answered.
func (s *Sampler) shut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end(errors.New("the programs of this run have been ended"))
}

// end ends the program, which is not asked again for the reason given.
func (s *Sampler) end(reason error) {
	if s.p != nil {
		s.p.close()
		s.p = nil
		s.broken = reason
	}
}

// Name returns the name that the program states.
func (s *Sampler) Name() string { return s.name }

// Columns returns the columns that answers of a direction have. They are known after the first
// answer.
func (s *Sampler) Columns(d chains.Direction) draws.Columns {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sides[d].columns
}

// Precision returns the precision of the log weights, and of the increments if there are any, of a
// direction. It is taken from the first answer.
func (s *Sampler) Precision(d chains.Direction) draws.Precision {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sides[d].precision
}

// MostChains returns the largest number of chains that certainly fit into one answer of a
// direction, with numbers in full and a blank after each comma. Before the first answer it allows
// for every column.
func (s *Sampler) MostChains(d chains.Direction) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.sides[d].columns
	if !s.sides[d].asked {
		c = draws.Columns{LogW: true, XFirst: true, XLast: true, Path: true, Increments: true}
	}
	const (
		// bytes of what is around the columns, of a float64 and of a whole number, with a comma and
		// a blank
		around = 1000
		float  = len("-2.2250738585072014e-308, ")
		whole  = len("2147483647, ")
	)
	state := max(1, len(s.space.Sides))*whole + len("[], ")
	T := s.space.Distributions
	chain := int64(0)
	arrays := int64(0)
	add := func(is bool, columns, bytes int) {
		if is {
			chain += int64(columns) * int64(bytes)
			arrays += int64(columns) * int64(len("[], "))
		}
	}
	add(c.LogW, 1, float)
	add(c.XFirst, 1, state)
	add(c.XLast, 1, state)
	add(c.Path, T, state)
	add(c.Increments, T-1, float)
	return int(max(1, (maxBatchLine-around-arrays)/max(1, chain)))
}

// Ask makes the program run n chains of a direction with the random numbers of a seed, 0 <= seed <
// 2^53. It returns ErrUnsupported if the program does not support the direction. An answer that
// violates PROTOCOL.md, and no answer, is a ProgramError; the program is then ended and never asked
// again. When the context ends the program is ended too.
func (s *Sampler) Ask(ctx context.Context, d chains.Direction, n int, seed uint64) (*draws.Batch, error) {
	if n < 1 {
		return nil, errs.New("a batch of %d chains; give 1 or more", n)
	}
	if seed >= seeds {
		return nil, errs.New("seed %d; give one below 2^53 = %d, which is exact in JSON", seed, uint64(seeds))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.broken != nil:
		return nil, s.broken
	case s.sides[d].unsupported:
		return nil, ErrUnsupported
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	running := s.p
	stop := context.AfterFunc(ctx, running.close)
	batch, err := s.askBatch(d, n, seed)
	// the context has ended, and with it the program, which says nothing about the program itself
	ended := !stop()
	if ended {
		s.end(fmt.Errorf("program %q was ended in the middle of a batch: %w", running.command.text, ctx.Err()))
		return nil, ctx.Err()
	}
	if err != nil && !errors.Is(err, ErrUnsupported) {
		s.end(err)
	}
	return batch, err
}

// request asks for a batch. Its fields are written in this order.
type request struct {
	Direction string `json:"direction"`
	Chains    int    `json:"chains"`
	Seed      uint64 `json:"seed"`
	ID        int    `json:"id"`
}

// askBatch asks for a batch and holds the answer to the protocol, to the space and to the answers
// before it.
func (s *Sampler) askBatch(d chains.Direction, n int, seed uint64) (*draws.Batch, error) {
	s.id++
	s.p.asked = fmt.Sprintf("for %d %v chains from seed %d (request %d)", n, d, seed, s.id)
	line, err := s.p.exchange(request{d.String(), n, seed, s.id})
	if err != nil {
		return nil, err
	}
	batch, err := s.readBatch(line, d, n)
	if err != nil && !errors.Is(err, ErrUnsupported) {
		return nil, s.p.failure(err)
	}
	return batch, err
}

// readBatch reads the answer to the last request, for n chains of a direction.
func (s *Sampler) readBatch(line []byte, d chains.Direction, n int) (*draws.Batch, error) {
	var a answer
	if err := decodeStrictly(line, &a); err != nil {
		return nil, fmt.Errorf("its line %s is not understood: %w", quote(line), explain(line, err))
	}
	if a.ID != s.id {
		return nil, fmt.Errorf("it answers request %d with id %d", s.id, a.ID)
	}
	if a.Unsupported {
		return nil, s.without(d, a)
	}
	batch, err := a.batch(s.space, n)
	if err != nil {
		return nil, err
	}
	side := &s.sides[d]
	columns := columnsOf(batch)
	if !side.asked {
		side.asked, side.columns, side.precision = true, columns, a.precision()
	} else if columns != side.columns {
		return nil, fmt.Errorf(
			"it answers with the columns %s, but its first answer in this direction had %s: send the same "+
				"ones in every answer",
			namesOf(columns),
			namesOf(side.columns),
		)
	}
	batch.First = side.rows
	side.rows += n
	return batch, nil
}

// without notes that the program has no chains of a direction, if it may say so.
func (s *Sampler) without(d chains.Direction, a answer) error {
	other := chains.Reverse
	if d == chains.Reverse {
		other = chains.Forward
	}
	switch {
	case a.hasColumns():
		return errors.New("it declares the direction unsupported, but also sends columns: do only one of the two")
	case s.sides[d].asked:
		return fmt.Errorf("it declares %v chains unsupported, but has sent some before", d)
	case s.sides[other].unsupported:
		return errors.New(
			"it declares both directions unsupported, so there is nothing to test: send the chains of one of them",
		)
	}
	s.sides[d].unsupported = true
	return ErrUnsupported
}

func columnsOf(b *draws.Batch) draws.Columns {
	return draws.Columns{
		LogW:       b.LogW != nil,
		XFirst:     b.XFirst != nil,
		XLast:      b.XLast != nil,
		Path:       b.Path != nil,
		Increments: b.Increments != nil,
	}
}

// namesOf lists columns by their names in the protocol.
func namesOf(c draws.Columns) string {
	names := []string{}
	for _, column := range []struct {
		is   bool
		name string
	}{{c.LogW, "log_w"}, {c.XFirst, "x_first"}, {c.XLast, "x_last"}, {c.Path, "path"},
		{c.Increments, "increments"}} {
		if column.is {
			names = append(names, column.name)
		}
	}
	return selector.Listed(names)
}

// SeedTest compares two batches from one seed and one from another seed.
type SeedTest struct {
	// Repeats says whether the same seed gave the same chains twice. A program that does not repeat
	// may be right, but its runs cannot be reproduced.
	Repeats bool
	// Identical says whether two different seeds gave the same chains in the same order.
	Identical bool
	// LogE is the log e-value of identical batches against independent chains: the logarithm of the
	// number of distinct orders of the rows of the batch, and -Inf if the batches differ. Two
	// batches of independent chains with the same rows have them in the same order with probability
	// one over that number, for any distribution of the rows. It is zero if all rows are equal, as
	// for a flat target or a constant column.
	LogE float64
}

// TrySeeds requests n chains of a direction from the seed one, once more from the same seed, and
// from another seed. It fails if Ask does. A program that ignores the seed is not an error.
func (s *Sampler) TrySeeds(ctx context.Context, d chains.Direction, n int,
	one, another uint64) (SeedTest, error) {
	if one == another {
		return SeedTest{}, errs.New("seed %d twice; give two different seeds", one)
	}
	var batches [3]*draws.Batch
	for i, seed := range []uint64{one, one, another} {
		var err error
		batches[i], err = s.Ask(ctx, d, n, seed)
		if err != nil {
			return SeedTest{}, err
		}
	}
	rows := slices.Collect(rowsOf(batches[0]))
	test := SeedTest{Repeats: slices.Equal(rows, slices.Collect(rowsOf(batches[1])))}
	test.Identical = slices.Equal(rows, slices.Collect(rowsOf(batches[2])))
	test.LogE = identicalLogE(test.Identical, rows)
	return test, nil
}
