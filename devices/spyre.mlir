// The default device: IBM Spyre as far as its structure is public. 32 cores with a
// 2 MB scratchpad (LX) each, over one device memory (DDR); two corelets per
// core, each with a scratchpad load unit, a vector unit and a scratchpad store
// unit in a row. Transfers with device memory move 128-byte sticks, which are
// 64 elements of f16.
//
// The capacity of the queues and the size of the register files are not public:
// 16 messages and 4 KB stand in for them.

// Transfers of whole sticks, and of single elements where queues carry vectors.
#stick = {ktdf_arch.transfer_granularity = array<i64: 128>}
#queue = {
  ktdf_arch.transfer_granularity = array<i64: 128, 2>,
  ktdf_arch.features = {ktdf_arch.feature.queue = {ordered, depth = 16}}
}

// The units beside device memory address it, and the scratchpad, by sticks.
#stick_words = #ktdf_arch.map<"DDR" = 128, "LX" = 128>
#stick_accesses = #ktdf_arch.map<"DDR" = [{size_in_words = 1}], "LX" = [{size_in_words = 1}]>
#mnilu = {
  kind = "MNILU", dataflow_scheduler.double_buffer_last,
  ktdf_arch.features = {ktdf_arch.feature.load = {word_size = #stick_words, access_granularity = #stick_accesses}}
}
#mnisu = {
  kind = "MNISU", dataflow_scheduler.double_buffer_last,
  ktdf_arch.features = {ktdf_arch.feature.store = {word_size = #stick_words, access_granularity = #stick_accesses}}
}

// The units of a corelet address the scratchpad by 2-byte elements, one at a
// time or an aligned stick of them.
#element_words = #ktdf_arch.map<"LX" = 2>
#element_accesses = #ktdf_arch.map<"LX" = [{size_in_words = 64, align_in_words = 64}, {size_in_words = 1}]>
#l1lu = {
  kind = "L1LU",
  ktdf_arch.features = {
    ktdf_arch.feature.load = {word_size = #element_words, access_granularity = #element_accesses},
    ktdf_arch.feature.simd = {splat, zero_pad}
  }
}
#l1su = {
  kind = "L1SU",
  ktdf_arch.features = {ktdf_arch.feature.store = {word_size = #element_words, access_granularity = #element_accesses}}
}
#sfu = {
  kind = "SFU",
  ktdf_arch.features = {
    ktdf_arch.feature.compute,
    ktdf_arch.feature.simd = {lanes = #ktdf_arch.map<f16 = 64, f32 = 32>}
  }
}

#ddr = {kind = "DDR", size = 137438953472}
#lx = {kind = "LX", size = 2097152}
#registers = {kind = "SFU_REG", size = 4096}

ktdf_arch.device @spyre attributes {
  mem_space_mapping = #ktdf_arch.map<#ktdp.memory_space<global> = "DDR", #ktdp.memory_space<ct_local> = "LX">
} {
  %ddr = memory #ddr
  group @core0 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core1 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core2 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core3 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core4 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core5 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core6 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core7 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core8 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core9 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core10 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core11 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core12 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core13 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core14 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core15 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core16 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core17 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core18 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core19 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core20 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core21 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core22 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core23 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core24 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core25 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core26 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core27 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core28 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core29 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core30 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
  group @core31 {kind = "core"} share(%ddr) {
    %lx = memory #lx
    %in = exec_unit #mnilu
    %out = exec_unit #mnisu
    datapath #stick %ddr to %in : memory, exec_unit
    datapath #stick %in to %lx : exec_unit, memory
    datapath #stick %lx to %out : memory, exec_unit
    datapath #stick %out to %ddr : exec_unit, memory
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
    group {kind = "corelet"} share(%lx) {
      %load = exec_unit #l1lu
      %sfu = group {kind = "SFU_Block"} share() {
        %registers = memory #registers
        %unit = exec_unit #sfu
        yield %unit
      } -> exec_unit
      %store = exec_unit #l1su
      datapath #queue %lx to %load : memory, exec_unit
      datapath #queue %load to %sfu : exec_unit, exec_unit
      datapath #queue %sfu to %store : exec_unit, exec_unit
      datapath #queue %store to %lx : exec_unit, memory
    }
  }
}
