package proof

// An arithmetic coder of bits, whose odds it learns from the bits before: what is
// likely costs next to nothing. Writing and reading are one walk over the same data,
// so that what a format says stands once.
//
// What is written is a number in [0, 1), the most significant byte first: each bit
// narrows the interval that the number is in, by its odds.

// odds are those of a 1, learnt: the more was seen, the slower they change.
type odds struct {
	share uint16 // in 2^-16, from leastOdds to 2^16-leastOdds; 0: nothing was seen
	seen  uint16 // up to mostSeen
}

const (
	leastOdds = 1 << 9
	mostSeen  = 60
)

func (o *odds) learn(bit int) {
	if o.seen < mostSeen {
		o.seen++
	}
	to := int(leastOdds)
	if bit == 1 {
		to = 1<<16 - leastOdds
	}
	o.share += uint16((to - int(o.share)) / (int(o.seen) + 1))
}

type arithmetic struct {
	b       []byte // written, or to be read
	reading bool   // b is read, and what is given is ignored
	at      int    // byte of b to be read next
	low     uint64 // of the interval, in 2^-32 of where the bytes are; or what is read, less that
	span    uint32 // of the interval, at least 2^24 between two bits
	bad     bool   // bytes were missing, or say what is out of range: all that follows is 0
}

func newArithmetic(b []byte, reading bool) arithmetic {
	a := arithmetic{b: b, reading: reading, span: 1<<32 - 1}
	if reading {
		for range 4 {
			a.low = a.low<<8 | uint64(a.next())
		}
	}
	return a
}

func (a *arithmetic) next() byte {
	if a.at == len(a.b) {
		a.bad = true
		return 0
	}
	a.at++
	return a.b[a.at-1]
}

// bit codes one with odds that are learnt.
func (a *arithmetic) bit(o *odds, bit int) int {
	if o.seen == 0 && o.share == 0 {
		o.share = 1 << 15
	}
	bit = a.code(uint32(uint64(a.span)*uint64(o.share)>>16), bit)
	o.learn(bit)
	return bit
}

// code narrows the interval to the first so many parts of it for a 1, else to the others.
func (a *arithmetic) code(ones uint32, bit int) int {
	if a.bad {
		return 0
	}
	if a.reading {
		if bit = 0; a.low < uint64(ones) {
			bit = 1
		}
	}
	switch {
	case bit == 1:
		a.span = ones
	case a.reading:
		a.low -= uint64(ones)
		a.span -= ones
	default:
		a.low += uint64(ones)
		a.span -= ones
		if a.low>>32 != 0 {
			a.carry()
		}
	}
	for ; a.span < 1<<24; a.span <<= 8 {
		if a.reading {
			a.low = a.low<<8 | uint64(a.next())
		} else {
			a.b = append(a.b, byte(a.low>>24))
			a.low = a.low << 8 & (1<<32 - 1)
		}
	}
	return bit
}

func (a *arithmetic) carry() {
	a.low &= 1<<32 - 1
	for k := len(a.b) - 1; ; k-- {
		if a.b[k]++; a.b[k] != 0 {
			return
		}
	}
}

// number codes one of so many bits, of which the first few are learnt: by odds that
// make a tree, 2^learnt of them.
func (a *arithmetic) number(tree []odds, learnt, bits, v int) int {
	node := 1
	for k := bits - 1; k >= 0; k-- {
		bit := v >> k & 1
		if bits-1-k < learnt {
			bit = a.bit(&tree[node], bit)
		} else {
			bit = a.code(a.span>>1, bit)
		}
		node = node<<1 | bit
	}
	return node - 1<<bits
}

// end writes what is left.
func (a *arithmetic) end() []byte {
	for range 4 {
		a.b = append(a.b, byte(a.low>>24))
		a.low = a.low << 8 & (1<<32 - 1)
	}
	return a.b
}
