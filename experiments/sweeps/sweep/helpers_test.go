package sweep

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"

	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/annealing/gap"
	"breadboard/experiments/annealing/schedule"
	"breadboard/experiments/annealing/subjective"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/annealing/weights"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/forms"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/particles/smc"
	"breadboard/experiments/subject"
)

var errFault = errors.New("injected fault")

// memory is a file system that knows what a power cut would leave of it, and fails on demand.
type memory struct {
	mu     sync.Mutex
	names  map[string]*memoryFile // as a running system sees them
	lasts  map[string]*memoryFile // as of the last sync of their folder
	dirs   map[string]bool        // as a running system sees them; true if their names last
	alone  map[*memoryFile]bool
	locks  map[string][]byte
	calls  int
	failAt int  // the call that fails; 0 is none
	dead   bool // whether every later call fails too
	down   bool
	random *rand.Rand
	trace  []string
}

// memoryFile holds what was written to a file and what of it was synced.
type memoryFile struct {
	data, synced []byte
	from, to     int // what a failed sync has dropped: it can be read, and no sync writes it
}

func newMemory(seed uint64) *memory {
	return &memory{
		names:  map[string]*memoryFile{},
		lasts:  map[string]*memoryFile{},
		dirs:   map[string]bool{".": true},
		alone:  map[*memoryFile]bool{},
		locks:  map[string][]byte{},
		random: rand.New(rand.NewPCG(seed, 1)),
	}
}

// call counts a call that may fail. The lock is held.
func (m *memory) call(what string) error {
	m.calls++
	m.trace = append(m.trace, what)
	if m.down {
		return errFault
	}
	if m.calls == m.failAt {
		m.down = m.dead
		return errFault
	}
	return nil
}

// powerCut returns what may be left: names that were synced, others perhaps; contents that were
// synced, and some of what followed. Locks are gone.
func (m *memory) powerCut() *memory {
	after := newMemory(m.random.Uint64())
	for _, dir := range slices.Sorted(maps.Keys(m.dirs)) {
		if after.dirs[filepath.Dir(dir)] && (m.dirs[dir] || m.random.IntN(2) == 0) {
			after.dirs[dir] = true
		}
	}
	keep := func(name string, f *memoryFile) {
		if !after.dirs[filepath.Dir(name)] {
			return
		}
		data := bytes.Clone(f.synced)
		if bytes.HasPrefix(f.data, f.synced) {
			rest := f.data[len(f.synced):]
			data = append(data, rest[:m.random.IntN(len(rest)+1)]...)
		} else if m.random.IntN(2) == 0 {
			data = bytes.Clone(f.data)
		}
		one := &memoryFile{data: data, synced: bytes.Clone(data)}
		after.names[name], after.lasts[name] = one, one
	}
	for name, f := range m.lasts {
		keep(name, f)
	}
	for name, f := range m.names {
		if m.lasts[name] != f && m.random.IntN(2) == 0 {
			keep(name, f)
		}
	}
	return after
}

// restart returns the file system after the process, but not the machine, has ended.
func (m *memory) restart() *memory {
	m.failAt, m.down, m.locks, m.alone = 0, false, map[string][]byte{}, map[*memoryFile]bool{}
	return m
}

func (m *memory) MkdirAll(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.call("mkdir"); err != nil {
		return err
	}
	if _, there := m.dirs[dir]; !there {
		m.dirs[dir] = false
	}
	return nil
}

func (m *memory) Names(dir string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.call("names"); err != nil {
		return nil, err
	}
	if _, there := m.dirs[dir]; !there {
		return nil, fs.ErrNotExist
	}
	var names []string
	for name := range m.names {
		if filepath.Dir(name) == dir {
			names = append(names, filepath.Base(name))
		}
	}
	slices.Sort(names)
	return names, nil
}

func (m *memory) Open(path string, limit int64) (io.ReadCloser, error) {
	data, err := m.ReadFile(path, limit)
	return io.NopCloser(bytes.NewReader(data)), err
}

func (m *memory) ReadFile(path string, _ int64) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.names[path]
	if err := m.call("open"); err != nil {
		return nil, err
	}
	if !ok {
		return nil, fs.ErrNotExist
	}
	return bytes.Clone(f.data), nil
}

func (m *memory) Append(path string) (appendFile, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.call("append"); err != nil {
		return nil, err
	}
	if m.names[path] == nil {
		m.names[path] = &memoryFile{}
	}
	return &memoryHandle{m, m.names[path], filepath.Ext(path)}, nil
}

func (m *memory) AppendAlone(path string) (appendFile, error) {
	m.mu.Lock()
	held := m.alone[m.names[path]]
	m.mu.Unlock()
	if held {
		return nil, &lockedError{}
	}
	f, err := m.Append(path)
	if err == nil {
		m.alone[m.names[path]] = true
	}
	return f, err
}

func (m *memory) SyncFile(path string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sync("syncfile", m.names[path])
}

func (m *memory) Standing(path string, f appendFile, size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.call("standing"); err != nil {
		return err
	}
	open := f.(*memoryHandle).f
	if m.names[path] != open || int64(len(open.data)) != size {
		return fs.ErrNotExist
	}
	return nil
}

// sync syncs a file. Where that fails, and not since the machine is off, what was to be written is
// dropped.
func (m *memory) sync(what string, f *memoryFile) error {
	if err := m.call(what); err != nil {
		if !m.down {
			f.from, f.to = len(f.synced), len(f.data)
		}
		return err
	}
	f.synced = bytes.Clone(f.data)
	for i := f.from; i < f.to; i++ {
		f.synced[i] = 0
	}
	return nil
}

func (m *memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.call("rename"); err != nil {
		return err
	}
	m.names[to] = m.names[from]
	delete(m.names, from)
	return nil
}

func (m *memory) SyncDir(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.call("syncdir"); err != nil {
		return err
	}
	for name := range m.dirs {
		if filepath.Dir(name) == dir {
			m.dirs[name] = true
		}
	}
	for name := range m.lasts {
		if filepath.Dir(name) == dir && m.names[name] == nil {
			delete(m.lasts, name)
		}
	}
	for name, f := range m.names {
		if filepath.Dir(name) == dir {
			m.lasts[name] = f
		}
	}
	return nil
}

func (m *memory) Lock(path string, holder []byte) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.call("lock"); err != nil {
		return nil, err
	}
	if other, held := m.locks[path]; held {
		return nil, &lockedError{other}
	}
	m.locks[path] = holder
	return memoryLock{m, path}, nil
}

type memoryLock struct {
	m    *memory
	path string
}

func (l memoryLock) Close() error {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	delete(l.m.locks, l.path)
	return l.m.call("unlock")
}

type memoryHandle struct {
	m    *memory
	f    *memoryFile
	kind string
}

// Write may write a part before it fails, as a full disk does.
func (h *memoryHandle) Write(data []byte) (int, error) {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	if err := h.m.call("write" + h.kind); err != nil {
		n := h.m.random.IntN(len(data) + 1)
		h.f.data = append(h.f.data, data[:n]...)
		return n, err
	}
	h.f.data = append(h.f.data, data...)
	return len(data), nil
}

func (h *memoryHandle) Truncate(size int64) error {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	if err := h.m.call("truncate" + h.kind); err != nil {
		return err
	}
	h.f.data = bytes.Clone(h.f.data[:size])
	h.f.to = min(h.f.to, int(size))
	return nil
}

func (h *memoryHandle) Sync() error {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	return h.m.sync("sync"+h.kind, h.f)
}

func (h *memoryHandle) Close() error {
	h.m.mu.Lock()
	defer h.m.mu.Unlock()
	delete(h.m.alone, h.f)
	return h.m.call("close" + h.kind)
}

// sweptStudies lists the studies of which these tests make sweeps.
func sweptStudies() Studies {
	return Studies{forms.All(), []*subject.Question{
		tightness.Study().Declaration.Sweep(), ais.Study().Declaration.Sweep(),
		smc.Study().Declaration.Sweep(), weights.Laws().Declaration.Sweep(),
		weights.Samples().Declaration.Sweep(), gap.Study().Declaration.Sweep(),
		subjective.Study().Declaration.Sweep(), schedule.Optimize().Declaration.Sweep(),
		kernel.Study().Declaration.Sweep(), aide.Study().Declaration.Sweep(),
		evidence.Study().Declaration.Sweep(), samplers.Errors().Declaration.Sweep(),
		samplers.Laws().Declaration.Sweep(), samplers.Times().Declaration.Sweep(),
		diagnose.Study().Declaration.Sweep(), sandwich.TrialStudy().Declaration.Sweep(),
	}}
}

// Places of the numbers that the study tightness stores.
const (
	atJ = iota
	atB
	atKLQP
	atKLPQ
	atMeanLogWForward
	atMeanLogWReverse
	atLogZRatio
	atDominantModeMass
)

// numbers are those of the study tightness, with a note.
type numbers struct {
	J, B, KLQP, KLPQ, MeanLogWForward, MeanLogWReverse, LogZRatio, DominantModeMass float64

	Note string
}

// values returns the numbers as the values of a cell.
func (n numbers) values() *Values {
	return &Values{tightness.Study().Declaration.Sweep(),
		[]float64{n.J, n.B, n.KLQP, n.KLPQ, n.MeanLogWForward, n.MeanLogWReverse, n.LogZRatio,
			n.DominantModeMass}, n.Note}
}

// cellFrom returns the cell of the study tightness with such values.
func cellFrom(values ...string) Cell {
	return cellOf(subject.Parameters(), func(k int) string { return values[k] })
}

// texts returns the values of a cell.
func texts(c Cell) []string {
	var out []string
	for _, p := range c {
		out = append(out, p.Value)
	}
	return out
}
