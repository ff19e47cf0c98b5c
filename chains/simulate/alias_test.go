package simulate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains"
)

// randomRows returns rows on that many states, with up to most entries each. Some probabilities are
// zero, tiny or one.
func randomRows(rng *rand.Rand, states, most int) [][]chains.Entry {
	rows := make([][]chains.Entry, states)
	for x := range rows {
		row := make([]chains.Entry, 1+rng.IntN(most))
		total := 0.0
		for i := range row {
			p := rng.Float64()
			switch rng.IntN(4) {
			case 0:
				p = math.Exp(-30 * p)
			case 1:
				p = float64(rng.IntN(2))
			}
			row[i] = chains.Entry{To: rng.IntN(states), P: p}
			total += p
		}
		if total == 0 {
			row[0].P, total = 1, 1
		}
		for i := range row {
			row[i].P /= total
		}
		rows[x] = row
	}
	return rows
}

// TestTablesHaveTheLawOfTheirRows adds up, in whole numbers, the probability with which the words
// of a row lead to each state. It differs from that of the row by a few roundings of one, among
// them those by which the row does not sum to one, and nothing goes where the row does not.
func TestTablesHaveTheLawOfTheirRows(t *testing.T) {
	const states = 40
	rng := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{1, 2, 3, 5, 8, 9, 40} {
		var m aliasMaker
		width := columns(most)
		words := make([]uint64, rowWords(width))
		for x, row := range randomRows(rng, states, most) {
			unit := 1 + x%3
			m.fillRow(words, row, float64(x), unit)
			if got := math.Float64frombits(words[0]); got != float64(x) {
				t.Fatalf("the increment is %v, not %d", got, x)
			}
			var law, want [states]big.Rat
			one := new(big.Int).Lsh(big.NewInt(int64(width)), 64)
			add := func(to uint32, weight *big.Int) {
				law[int(to)/unit].Add(&law[int(to)/unit], new(big.Rat).SetFrac(weight, one))
			}
			for i := range width {
				limit := new(big.Int).SetUint64(words[1+i])
				pair := words[1+width+i]
				if words[1+i] > 0 {
					add(uint32(pair), limit)
				}
				add(uint32(pair>>32), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 64), limit))
			}
			for _, e := range row {
				want[e.To].Add(&want[e.To], new(big.Rat).SetFloat64(e.P))
			}
			for y := range law {
				d, _ := new(big.Rat).Sub(&law[y], &want[y]).Float64()
				if !(math.Abs(d) <= 0x1p-50) || want[y].Sign() == 0 && law[y].Sign() != 0 {
					t.Fatalf("%d columns: state %d has a probability that is %v too large, in %v",
						width, y, d, row)
				}
			}
		}
	}
}

// TestLanesDrawAsPlain: chains that go through a flight four at a time are, to the last bit, those
// that go one after another, for any number of chains, of stages and of columns, and so are those
// that go through one stage at a time. The numbers that they draw are those of the generator in its
// order.
func TestLanesDrawAsPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		size := 1 + rng.IntN(60)
		k := rng.IntN(23)
		f := flight{states: size}
		var rows [][][]chains.Entry
		for range 1 + rng.IntN(flightStages) {
			stage := randomRows(rng, size, 1+rng.IntN(20))
			rows = append(rows, stage)
			for _, row := range stage {
				f.rows.entries = append(f.rows.entries, row...)
				f.rows.ends = append(f.rows.ends, len(f.rows.entries))
				f.rows.width = max(f.rows.width, len(row))
				f.increments = append(f.increments, rng.NormFloat64())
			}
			f.columns = append(f.columns, columns(f.rows.width))
		}
		increments := slices.Clone(f.increments)
		widths := slices.Clone(f.columns)
		begin := func() (states []int32, logw []float64) {
			for i := range k {
				states, logw = append(states, int32(i*7%size)), append(logw, float64(i)/3)
			}
			return states, logw
		}
		seed := wyrand(rng.Uint64())
		plain, plainLogW := begin()
		plainGen := seed
		for s, width := range widths { // the tables of one stage
			drawPlain(f.tables(s, s+1), 1, width, plainGen, 0, plain, plainLogW)
			plainGen += wyrand(k) * weyl
		}
		states, logw := begin()
		gen := seed
		if n := f.runStages(&gen, states, logw); n != len(rows) || len(f.columns) != 0 {
			t.Fatalf("%d stages of %d were taken, and %d are left", n, len(rows), len(f.columns))
		}
		one, oneLogW := begin()
		after := drawOneByOne(rows, increments, widths, seed, one, oneLogW)
		if !slices.Equal(states, plain) || !slices.Equal(logw, plainLogW) || !slices.Equal(states, one) ||
			!slices.Equal(logw, oneLogW) || gen != after {
			t.Fatalf("%d chains on %d states through stages of %d columns:\n%v\n%v\n%v", k, size, widths,
				states, plain, one)
		}
	}
}

// drawOneByOne takes chains through stages by a table for each, all chains one step before any
// takes the next.
func drawOneByOne(rows [][][]chains.Entry, increments []float64, widths []int, gen wyrand, states []int32,
	logw []float64) wyrand {
	for s, stage := range rows {
		table := newAliasTable(len(stage), widths[s])
		for x, row := range stage {
			table.fillRow(x, row)
		}
		for i, x := range states {
			logw[i] += increments[s*len(stage)+int(x)]
		}
		table.moveAll(&gen, states)
	}
	return gen
}
