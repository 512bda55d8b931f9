// Teams on the host and on the device, contexts of teams, barriers and syncs.
#include "check.h"

namespace {

__global__ void ask(rocshmem_team_t team, int* out) {
  out[0] = rocshmem_team_n_pes(team);
  out[1] = rocshmem_team_my_pe(team);
  out[2] = rocshmem_team_translate_pe(team, out[0] - 1, ROCSHMEM_TEAM_WORLD);
  out[3] = rocshmem_team_translate_pe(ROCSHMEM_TEAM_WORLD, 0, team);
  out[4] = rocshmem_team_n_pes(ROCSHMEM_TEAM_SHARED);
  out[5] = rocshmem_team_my_pe(ROCSHMEM_TEAM_INVALID);
  out[6] = rocshmem_my_pe();
  out[7] = rocshmem_n_pes();
  out[8] = rocshmem_team_translate_pe(team, out[0], ROCSHMEM_TEAM_WORLD);
}

void asks(Here& here, const Group& group) {
  Buffer<int> out(9);
  if (group.pe >= 0) {
    ask<<<1, 1>>>(group.team, out.data);
    HIP(hipGetLastError());
    int size = static_cast<int>(group.members.size());
    int first = group.members[0] == 0 ? 0 : -1;
    std::vector<int> expected = {size, group.pe, group.members.back(), first, here.pes, -1, here.pe, here.pes, -1};
    same(here, out.read(), expected, "a team on the device", size);
    here.check(rocshmem_team_n_pes(group.team) == size, "n_pes of a team", size, 0);
    here.check(rocshmem_team_my_pe(group.team) == group.pe, "my_pe of a team", size, 0);
    here.check(rocshmem_team_translate_pe(group.team, size - 1, ROCSHMEM_TEAM_WORLD) == group.members.back(),
               "translate_pe", size, 0);
    here.check(rocshmem_team_translate_pe(ROCSHMEM_TEAM_WORLD, 0, group.team) == first, "translate_pe", size, 1);
  } else {
    here.check(group.team == ROCSHMEM_TEAM_INVALID, "the team of others", 0, 0);
  }
  done();
}

/** Rounds in which each PE of a team reads what all others wrote in the round before. */
template <int WHO, bool SYNC>
__global__ void rounds(rocshmem_team_t team, int* cells, int* wrong) {
  int me = rocshmem_team_my_pe(team);
  int all = rocshmem_team_n_pes(team);
  bool first = WHO == 0 ? threadIdx.x == 0 : WHO == 1 ? threadIdx.x == 64 : threadIdx.x == 0;
  bool takesPart = WHO == 0 ? threadIdx.x == 0 : WHO == 1 ? threadIdx.x >= 64 && threadIdx.x < 128 : true;
  if (!takesPart) return;
  for (int round = 1; round <= 4; round++) {
    if (first) {
      for (int i = 0; i < all; i++) {
        rocshmem_int_p(cells + me, round * 100 + me, rocshmem_team_translate_pe(team, i, ROCSHMEM_TEAM_WORLD));
      }
      if (SYNC) rocshmem_quiet();
    }
    for (int again = 0; again < 2; again++) {
      auto ctx = ROCSHMEM_CTX_DEFAULT;
      if (WHO == 0) SYNC ? rocshmem_ctx_sync(ctx, team) : rocshmem_ctx_barrier(ctx, team);
      if (WHO == 1) SYNC ? rocshmem_ctx_sync_wave(ctx, team) : rocshmem_ctx_barrier_wave(ctx, team);
      if (WHO == 2) SYNC ? rocshmem_ctx_sync_wg(ctx, team) : rocshmem_ctx_barrier_wg(ctx, team);
      for (int i = static_cast<int>(threadIdx.x) % 64; again == 0 && i < all; i += WHO == 0 ? 1 : 64) {
        if (cells[i] != round * 100 + i) atomicAdd(wrong, 1);
      }
    }
  }
}

template <int WHO, bool SYNC>
void meets(Here& here, const Group& group) {
  Buffer<int> cells(static_cast<size_t>(here.pes));
  Buffer<int> wrong(1);
  wrong.write({0});
  done();
  if (group.pe >= 0) {
    rounds<WHO, SYNC><<<1, THREADS>>>(group.team, cells.data, wrong.data);
    HIP(hipGetLastError());
    same(here, wrong.read(), {0}, SYNC ? "sync" : "barrier", WHO);
  }
  done();
}

/** Of all PEs, in all forms, and a fence between a put and its flag. */
__global__ void world(int* cells, int* flags, int* wrong) {
  int pe = (rocshmem_my_pe() + 1) % rocshmem_n_pes();
  int round = 0;
  auto step = [&] {
    round++;
    if (threadIdx.x == 0) {
      for (int i = 0; i < 5; i++) rocshmem_int_p(cells + i, round * 10 + i, pe);
      switch (round % 3) {
        case 0: rocshmem_fence(); break;
        case 1: rocshmem_ctx_fence(ROCSHMEM_CTX_DEFAULT, pe); break;
        default: rocshmem_pe_quiet(&pe, 1);
      }
      rocshmem_int_atomic_set(flags, round, pe);
      rocshmem_int_wait_until(flags, ROCSHMEM_CMP_GE, round);
      for (int i = 0; i < 5; i++) {
        if (cells[i] != round * 10 + i) atomicAdd(wrong, 1);
      }
    }
    __syncthreads();
  };
  step();
  rocshmem_barrier_all_wg();
  step();
  rocshmem_barrier_wg();
  step();
  rocshmem_sync_all_wg();
  step();
  if (threadIdx.x < 64) rocshmem_barrier_all_wave();
  step();
  if (threadIdx.x < 64) rocshmem_barrier_wave();
  step();
  if (threadIdx.x < 64) rocshmem_sync_all_wave();
  step();
  if (threadIdx.x == 0) rocshmem_barrier_all();
  step();
  if (threadIdx.x == 0) rocshmem_barrier();
  step();
  if (threadIdx.x == 0) rocshmem_sync_all();
  step();
}

/** PEs of a context are those of its team. */
__global__ void inTeam(rocshmem_team_t team, int* to, int* out) {
  __shared__ rocshmem_ctx_t ctx;
  int code = rocshmem_wg_team_create_ctx(team, 0, &ctx);
  rocshmem_ctx_t own;
  code |= rocshmem_wg_ctx_create(0, &own);
  int me = rocshmem_team_my_pe(team);
  if (threadIdx.x == 0) {
    out[0] = code;
    out[1] = own.ctx_opaque == ctx.ctx_opaque;
    rocshmem_ctx_int_p(ctx, to, 1000 + me, (me + 1) % rocshmem_team_n_pes(team));
    rocshmem_ctx_quiet(ctx);
  }
  rocshmem_ctx_barrier_wg(ctx, team);
  rocshmem_wg_ctx_destroy(&own);
  rocshmem_wg_ctx_destroy(&ctx);
}

void contexts(Here& here, const Group& group) {
  Buffer<int> to(1);
  Buffer<int> out(2);
  done();
  if (group.pe >= 0) {
    inTeam<<<1, THREADS>>>(group.team, to.data, out.data);
    HIP(hipGetLastError());
    int size = static_cast<int>(group.members.size());
    same(here, out.read(), {0, 0}, "contexts", 0);
    same(here, to.read(), {1000 + (group.pe + size - 1) % size}, "a context of a team", size);
  }
  done();
}

}  // namespace

void teams(Here& here) {
  std::vector<Group> all = groups(here);
  for (const Group& group : all) {
    asks(here, group);
    meets<0, false>(here, group);
    meets<1, false>(here, group);
    meets<2, false>(here, group);
    meets<0, true>(here, group);
    meets<1, true>(here, group);
    meets<2, true>(here, group);
    contexts(here, group);
  }
  Buffer<int> cells(5);
  Buffer<int> flags(1);
  Buffer<int> wrong(1);
  flags.write({0});
  wrong.write({0});
  done();
  world<<<1, THREADS>>>(cells.data, flags.data, wrong.data);
  HIP(hipGetLastError());
  same(here, wrong.read(), {0}, "all PEs", 0);
  done();

  // Rows of two; what cannot be split; teams that come and go.
  rocshmem_team_t x = ROCSHMEM_TEAM_INVALID;
  rocshmem_team_t y = ROCSHMEM_TEAM_INVALID;
  here.check(rocshmem_team_split_2d(ROCSHMEM_TEAM_WORLD, 2, nullptr, 0, &x, nullptr, 0, &y) == 0, "split_2d", 0, 0);
  Group row = {x, {}, here.pe % 2};
  Group column = {y, {}, here.pe / 2};
  for (int i = 0; i < here.pes; i++) {
    if (i / 2 == here.pe / 2) row.members.push_back(i);
    if (i % 2 == here.pe % 2) column.members.push_back(i);
  }
  asks(here, row);
  asks(here, column);
  meets<2, false>(here, row);
  meets<2, false>(here, column);
  rocshmem_team_destroy(x);
  rocshmem_team_destroy(y);
  rocshmem_team_t none = ROCSHMEM_TEAM_WORLD;
  here.check(rocshmem_team_split_strided(ROCSHMEM_TEAM_WORLD, 0, 1, here.pes + 1, nullptr, 0, &none) != 0 &&
                 none == ROCSHMEM_TEAM_INVALID,
             "a team that is too large", 0, 0);
  for (int i = 0; i < 50; i++) {
    Group again = group(here, 0, 1, here.pes);
    rocshmem_barrier(again.team);
    rocshmem_team_sync(again.team);
    rocshmem_team_destroy(again.team);
  }
  rocshmem_team_destroy(ROCSHMEM_TEAM_WORLD);
  rocshmem_team_destroy(ROCSHMEM_TEAM_INVALID);
  rocshmem_barrier(ROCSHMEM_TEAM_INVALID);
  done();
  forget(all);
}
