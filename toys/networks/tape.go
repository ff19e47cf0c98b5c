package networks

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"

	"breadboard/chains/number"
)

// tape is an elimination under way. Going forwards, each step multiplies all tables that its
// variable is in, and sums the product over it: this is its message, a table for a later step.
// Messages at the beginnings of segments are kept. Going backwards, the messages of each segment
// are computed again, and its steps are visited from the last to the first.
//
// Scopes are in the order in which their variables are eliminated, so that the one that a step
// eliminates is the slowest axis of all of its tables.
type tape struct {
	*plan
	given    [][]table     // the factors that each step takes, and behind them those that none takes
	most     bool          // whether the largest product is taken instead of the sum
	messages []table       // of the steps; no entries if one is not there
	visitors []func(i int) // what is done at a step on the way backwards

	spare [][]float64 // tables that are not needed any more
	held  float64     // the bytes of large tables, those that are spare among them
	limit float64     // the bytes that tables may take

	forgotten float64 // the bytes that are not needed any more and have not been collected yet

	told func(share float64) // of the work; may be nil
	// entries of messages, each visitTimes more on the way backwards: those that are made, and all
	taken, ahead float64
}

// smallEntries is the largest number of entries of small tables, which are multiplied with one
// another before anything else.
const smallEntries = 1 << 12

// visitTimes is in how many times of making a message a step of the way backwards is taken, about.
const visitTimes = 3

// reportWork reports some work.
func (t *tape) reportWork(work float64) {
	t.taken += work
	if t.told != nil {
		t.told(min(1, t.taken/t.ahead))
	}
}

// fewBytes is how many bytes that are not needed any more are collected at once, at least.
const fewBytes = 4e6

// errFar is the error where large tables need Wide numbers, and their memory has not been counted.
var errFar = errors.New("large tables have numbers that are far apart")

// newTape returns the tape of an elimination of factors.
func (p *plan) newTape(factors []Factor) *tape {
	t := &tape{
		plan:     p,
		given:    make([][]table, len(p.steps)+1),
		messages: make([]table, len(p.steps)),
		limit:    p.tables,
	}
	for _, f := range factors {
		// variables of one value change neither the number of entries nor their order
		scope := scopesOf([]Factor{f}, p.cards)[0]
		ordered := p.ordered(scope)
		from := make([]int, len(f.Values))
		walk(ordered, scope, p.cards, func(first, at int, run []int) {
			for j, k := range run {
				from[first+j] = at + k
			}
		})
		turn := p.reorderStep(ordered)
		t.given[turn] = append(t.given[turn], newTable(
			ordered,
			len(from),
			func(i int) number.Wide { return number.Scaled(f.Values[from[i]], 0) },
		))
	}
	return t
}

// incoming returns the tables that a step takes, the small ones as one table, which is the last.
// There is one at least.
func (t *tape) incoming(i int) []table {
	all := slices.Clone(t.given[i])
	for _, j := range t.steps[i].children {
		all = append(all, t.messages[j])
	}
	var small, large []table
	scope := []int{t.steps[i].variable}
	for _, one := range all {
		joint := t.ordered(slices.Concat(scope, one.scope))
		if one.len() > smallEntries || entries(joint, t.cards) > smallEntries {
			large = append(large, one)
			continue
		}
		small = append(small, one)
		scope = joint
	}
	if len(small) > 0 || large == nil {
		large = append(large, t.product(small, scope))
	}
	return large
}

// product returns the product of small tables as a table over a scope.
func (t *tape) product(tables []table, scope []int) table {
	n := int(entries(scope, t.cards))
	is, of := narrow(tables)
	if !is {
		values := t.wideProduct(tables, scope, func(one table) table { return one })
		return newTable(scope, n, func(i int) number.Wide { return values[i] })
	}
	of.scope = scope
	of.values = make([]float64, n)
	t.multiply(tables, scope, of.values)
	t.forget(2 * entryBytes * float64(n))
	return newTable(scope, n, of.entry)
}

// multiply writes the product of the values of tables at each entry of a table over a scope.
func (t *tape) multiply(tables []table, scope []int, into []float64) {
	if len(tables) == 0 {
		for i := range into {
			into[i] = 1
		}
	}
	for k, one := range tables {
		walk(scope, one.scope, t.cards, func(first, at int, run []int) {
			part := into[first : first+len(run)]
			values := one.values[at:]
			if k == 0 {
				for j, r := range run {
					part[j] = values[r]
				}
				return
			}
			for j, r := range run {
				part[j] *= values[r]
			}
		})
	}
}

// wideProduct is multiply in Wide numbers.
func (t *tape) wideProduct(tables []table, scope []int, of func(table) table) []number.Wide {
	product := slices.Repeat([]number.Wide{{M: 1}}, int(entries(scope, t.cards)))
	for _, one := range tables {
		one = of(one)
		walk(scope, one.scope, t.cards, func(first, at int, run []int) {
			for j, r := range run {
				product[first+j] = product[first+j].Mul(one.entry(at + r))
			}
		})
	}
	return product
}

// sliceAt returns the part of a table at a value of its slowest variable, which has n values.
func (t table) sliceAt(value, n int) table {
	size := t.len() / n
	t.scope = t.scope[1:]
	if t.wide != nil {
		t.wide = t.wide[value*size:][:size]
	} else {
		t.values = t.values[value*size:][:size]
	}
	return t
}

// parts returns the part of each of the tables.
func parts(tables []table, value, n int) []table {
	list := make([]table, len(tables))
	for k, one := range tables {
		list[k] = one.sliceAt(value, n)
	}
	return list
}

// make implements worker: it takes a step.
func (t *tape) make(ctx context.Context, i int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s := &t.steps[i]
	in := t.incoming(i)
	defer t.reportWork(s.size)
	is, message := narrow(in)
	if !is {
		if s.size > smallEntries && !t.wide {
			return errFar
		}
		t.messages[i] = t.makeWide(s, in)
		return nil
	}
	message.scope, message.values = s.scope, t.buffer(int(s.size))
	t.takeStep(ctx, s, in, message.values)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for n := t.cards[s.variable]; n > 1; n = (n + 1) / 2 {
		message.high++
	}
	t.messages[i] = settled(message)
	if t.messages[i].wide != nil {
		t.release(message.values)
		if s.size > smallEntries && !t.wide {
			return errFar
		}
	}
	return nil
}

// takeStep takes a step: for each value of the variable it multiplies all tables, and adds the
// product.
func (t *tape) takeStep(ctx context.Context, s *step, in []table, out []float64) {
	part := t.buffer(len(out))
	n := t.cards[s.variable]
	for value := range n {
		if ctx.Err() != nil {
			break
		}
		into := part
		if value == 0 {
			into = out
		}
		t.multiply(parts(in, value, n), s.scope, into)
		switch {
		case value == 0:
		case t.most:
			for k, v := range part {
				out[k] = max(out[k], v)
			}
		default:
			for k, v := range part {
				out[k] += v
			}
		}
	}
	t.release(part)
}

// makeWide takes a step in Wide numbers. Where float64 has the range, these would be the same
// numbers, with the same roundings.
func (t *tape) makeWide(s *step, in []table) table {
	n := t.cards[s.variable]
	out := make([]number.Wide, int(s.size))
	for value := range n {
		for k, v := range t.wideProduct(in, s.scope, func(one table) table { return one.sliceAt(value, n) }) {
			if !t.most {
				out[k] = out[k].Add(v)
			} else if v.Sub(out[k]).M > 0 {
				out[k] = v
			}
		}
	}
	return newTable(s.scope, len(out), func(i int) number.Wide { return out[i] })
}

// visit implements worker.
func (t *tape) visit(ctx context.Context, i int) error {
	for _, visitor := range t.visitors {
		visitor(i)
	}
	t.reportWork(visitTimes * t.steps[i].size)
	return ctx.Err()
}

// drop implements worker: it forgets the message of a step.
func (t *tape) drop(i int) {
	t.release(t.messages[i].values)
	t.messages[i] = table{}
}

// buffer returns a table of n numbers, which are any. Tables that were large are used again, since
// new ones would be zeros that are written first.
func (t *tape) buffer(n int) []float64 {
	if n <= smallEntries {
		return make([]float64, n)
	}
	for k, b := range t.spare {
		if cap(b) >= n && cap(b) <= n+n/8 {
			t.spare = slices.Delete(t.spare, k, k+1)
			return b[:n]
		}
	}
	bytes := entryBytes * float64(n)
	for t.held+bytes > t.limit && len(t.spare) > 0 {
		less := entryBytes * float64(cap(t.spare[0]))
		t.spare = slices.Delete(t.spare, 0, 1)
		t.held -= less
		t.forgotten += less
	}
	t.held += bytes
	t.forget(0)
	return make([]float64, n)
}

// forget counts bytes that are not needed any more. If they are more than the tables may take
// beside what is held it has them collected and given back to the system: the runtime would wait
// until they are as many as are held, and then keep gaps between tables of different sizes.
func (t *tape) forget(bytes float64) {
	t.forgotten += bytes
	if t.forgotten > fewBytes && t.held+t.forgotten > t.limit {
		t.forgotten = 0
		debug.FreeOSMemory()
	}
}

// release gives a table back that buffer has returned.
func (t *tape) release(b []float64) {
	if cap(b) > smallEntries {
		t.spare = append(t.spare, b)
	}
}
