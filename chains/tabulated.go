package chains

// Tabulated is a kernel given by its rows, which are the same under every distribution.
type Tabulated struct {
	name    string
	start   []int32 // row x is entries[start[x]:start[x+1]]
	entries []Entry
}

// NewTabulated returns a kernel with the given name, number of states and rows. It copies the rows, and asks for each row
// twice, the first time only to count the entries.
func NewTabulated(name string, states int, row func(x int) []Entry) *Tabulated {
	k := &Tabulated{name: name, start: make([]int32, 1, states+1)}
	total := 0
	for x := range states {
		for _, e := range row(x) {
			if e.P > 0 {
				total++
			}
		}
	}
	k.entries = make([]Entry, 0, total)
	for x := range states {
		for _, e := range row(x) {
			if e.P > 0 {
				k.entries = append(k.entries, e)
			}
		}
		k.start = append(k.start, int32(len(k.entries)))
	}
	return k
}

// Move draws from the row.
func (k *Tabulated) Move(c Chooser, _ []float64, x int) int {
	row := k.entries[k.start[x]:k.start[x+1]]
	p := make([]float64, len(row))
	for i, e := range row {
		p[i] = e.P
	}
	return row[c.Choose(p)].To
}

// AppendRow appends the row.
func (k *Tabulated) AppendRow(dst []Entry, _ []float64, x int) []Entry {
	return append(dst, k.entries[k.start[x]:k.start[x+1]]...)
}

// States returns the number of states.
func (k *Tabulated) States() int { return len(k.start) - 1 }

// String returns the name.
func (k *Tabulated) String() string { return k.name }
